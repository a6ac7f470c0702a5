"""Regions must fit the threads of a program and each other; every way in which they do not is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.thread_proof.regions.claim import ENDED, UNBORN, Region, Successor
from pincer.evidence.thread_proof.regions.shape import after, check_shape, ends_all, live_places, moves_of, place_of
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.control_flow import Fail
from pincer.program.thread_labels import Exit, Join
from pincer.program.threaded_system import Move, Perform, ThreadedSystem
from tests.evidence.thread_proof.regions.region_programs import BOTH
from tests.evidence.thread_proof.threaded_programs import COUNTER, lowered

TEXT = """
int x;
void *f(void *a) { x = 1; return 0; }
void *g(void *a) { assert(x < 2); return 0; }
""" + BOTH.replace("AFTER", "")


@pytest.fixture(scope="module")
def system() -> ThreadedSystem:
    return unfolded(lowered(TEXT), False)


def all_regions(system: ThreadedSystem) -> list[Region]:
    """All places where the threads can be together, as a graph in which every live thread moves."""
    first = (str(system.threads[0].entry), *(UNBORN for _ in system.threads[1:]))
    numbers, order, found = {first: 0}, [first], list[Region]()
    for at in order:
        here = Region(at, (), ())
        here = replace(here, move=tuple(live_places(system, here)))
        then = []
        for move, thread in moves_of(system, here):
            if ends_all(thread, move):
                continue
            target = after(system, here, thread, move)
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            then.append(Successor(thread, move.number, numbers[target]))
        found.append(replace(here, then=tuple(then)))
    return found


@pytest.fixture(scope="module")
def regions(system: ThreadedSystem) -> list[Region]:
    return all_regions(system)


def move_with(system: ThreadedSystem, thread: int, label: type) -> Move:
    return next(
        move
        for move in system.threads[thread].moves
        if any(isinstance(action, Perform) and isinstance(action.label, label) for action in move.actions)
    )


def changed(regions: list[Region], number: int, region: Region) -> list[Region]:
    return [*regions[:number], region, *regions[number + 1 :]]


def test_regions_with_all_moves_fit(system: ThreadedSystem, regions: list[Region]) -> None:
    check_shape(system, regions)
    assert len(regions) > 20 and any(region.at.count(ENDED) == 2 for region in regions)


def test_places_are_known_by_their_text(system: ThreadedSystem) -> None:
    for thread in system.threads:
        assert [place_of(system, thread.number, str(place)) for place in thread.places] == list(thread.places)
        assert len(set(map(str, thread.places))) == len(thread.places)
        assert place_of(system, thread.number, UNBORN) is place_of(system, thread.number, ENDED) is None
    with pytest.raises(PincerError, match="thread 1 has no place 99/99"):
        place_of(system, 1, "99/99")
    own = str(system.threads[0].entry)
    with pytest.raises(PincerError, match="has no place"):
        place_of(system, 1, own)


def test_threads_that_live_are_those_with_a_place(system: ThreadedSystem) -> None:
    main, first = system.threads[0].entry, system.threads[1].entry
    assert live_places(system, Region((str(main), str(first), ENDED), (), ())) == {0: main, 1: first}
    assert live_places(system, Region((str(main), UNBORN, UNBORN), (), ())) == {0: main}


def test_moves_are_those_of_the_threads_that_move(system: ThreadedSystem) -> None:
    main, first = system.threads[0].entry, system.threads[1].entry
    both = Region((str(main), str(first), UNBORN), (0, 1), ())
    expected = [*((move, 0) for move in system.threads[0].outgoing[main])]
    assert list(moves_of(system, replace(both, move=(0,)))) == expected
    expected += [(move, 1) for move in system.threads[1].outgoing[first]]
    assert list(moves_of(system, both)) == expected
    assert list(moves_of(system, replace(both, move=()))) == []


def test_only_failures_and_the_end_of_main_end_all(system: ThreadedSystem) -> None:
    failing = move_with(system, 2, Fail)
    assert ends_all(2, failing)
    [end] = [move for move in system.threads[0].moves if move.target is None]
    assert ends_all(0, end)
    for thread in (1, 2):
        ends = [move for move in system.threads[thread].moves if move.target is None and move is not failing]
        assert ends and not any(ends_all(thread, move) for move in ends)
    assert not ends_all(0, move_with(system, 0, Join))


def test_a_main_thread_that_exits_leaves_the_others(system: ThreadedSystem) -> None:
    leaving = unfolded(lowered(TEXT.replace("pthread_join(p, 0);", "pthread_exit(0);")), False)
    assert not ends_all(0, move_with(leaving, 0, Exit))


def test_after_a_move_one_thread_is_elsewhere_and_another_may_begin(system: ThreadedSystem) -> None:
    (_, number), born = next(iter(system.births.items()))
    move = next(move for move in system.threads[0].moves if move.number == number)
    here = Region((str(move.source), UNBORN, UNBORN), (0,), ())
    found = after(system, here, 0, move)
    assert found[0] == str(move.target) and found[born] == str(system.threads[born].entry)
    assert found.count(UNBORN) == 1
    end = next(move for move in system.threads[1].moves if move.target is None)
    assert after(system, replace(here, at=(str(move.source), str(end.source), UNBORN)), 1, end)[1] == ENDED


@pytest.mark.parametrize("state", ["live", ENDED])
def test_no_thread_begins_twice(system: ThreadedSystem, state: str) -> None:
    (_, number), born = next(iter(system.births.items()))
    move = next(move for move in system.threads[0].moves if move.number == number)
    at = [str(move.source), UNBORN, UNBORN]
    at[born] = str(system.threads[born].entry) if state == "live" else state
    with pytest.raises(PincerError, match="begun before"):
        after(system, Region(tuple(at), (0,), ()), 0, move)


def test_there_must_be_a_beginning(system: ThreadedSystem, regions: list[Region]) -> None:
    for wrong in ([], regions[1:], [replace(regions[0], at=(*regions[0].at, UNBORN)), *regions[1:]]):
        with pytest.raises(PincerError, match="not where the program begins"):
            check_shape(system, wrong)


def test_threads_of_which_there_are_several_have_no_regions() -> None:
    many = unfolded(lowered(COUNTER), False)
    with pytest.raises(PincerError, match="several of one kind"):
        check_shape(many, [Region((str(many.threads[0].entry), UNBORN), (0,), ())])


CHANGES: list[tuple[str, Callable[[Region, int], Region]]] = [
    ("other threads", lambda region, _: replace(region, at=region.at[:-1])),
    ("other threads", lambda region, _: replace(region, at=(*region.at, UNBORN))),
    ("no place", lambda region, _: replace(region, at=("nowhere", *region.at[1:]))),
    ("cannot", lambda region, _: replace(region, move=(*region.move, region.move[0]))),
    ("cannot", lambda region, _: replace(region, move=(*region.move, 9))),
    ("does not say where", lambda region, _: replace(region, then=region.then[:-1])),
    ("does not say where", lambda region, _: replace(region, then=())),
    (
        "does not say where",
        lambda region, size: replace(region, then=tuple(replace(item, region=size) for item in region.then)),
    ),
    (
        "does not say where",
        lambda region, _: replace(region, then=tuple(replace(item, thread=7) for item in region.then)),
    ),
    ("to where it does not", lambda region, _: replace(region, then=tuple(replace(i, region=0) for i in region.then))),
    ("there is not", lambda region, _: replace(region, held=((4096, 3),))),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_a_region_that_does_not_fit_is_refused(system: ThreadedSystem, regions: list[Region], number: int) -> None:
    said, change = CHANGES[number]
    tried = 0
    for index, region in enumerate(regions):
        if index % 5 == 1 and region.then:
            tried += 1
            with pytest.raises(PincerError, match=said):
                check_shape(system, [*regions, change(region, len(regions) + 1)])
            with pytest.raises(PincerError):
                check_shape(system, changed(regions, index, change(region, len(regions))))
    assert tried > 3


def test_threads_that_are_not_there_do_not_move(system: ThreadedSystem, regions: list[Region]) -> None:
    for number, region in enumerate(regions):
        for thread, at in enumerate(region.at):
            if at in (UNBORN, ENDED):
                with pytest.raises(PincerError, match="cannot"):
                    check_shape(system, changed(regions, number, replace(region, move=(thread,))))


def test_fewer_threads_may_move(system: ThreadedSystem, regions: list[Region]) -> None:
    """Whether anything is lost by that is for others to say."""
    fewer = [replace(region, move=region.move[:1]) for region in regions]
    check_shape(system, fewer)


def test_held_locks_name_threads_that_there_are(system: ThreadedSystem, regions: list[Region]) -> None:
    check_shape(system, changed(regions, 0, replace(regions[0], held=((4096, 2),))))
