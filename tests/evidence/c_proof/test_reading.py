"""Automata that read the states of programs: every move is a way of its own, and nothing is read that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.cut_points import Place, Refusal, Way
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.reading import ReadingChecker, condition, formula_of, well_formed
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.pptl.formula import TRUE as EVERY_WORD
from pincer.logic.terms import BOOL, FALSE, TRUE, conjunction, disjunction, negate, variable
from pincer.program.automaton import ALWAYS, Automaton, AutomatonEdge
from pincer.program.control_flow import Assume, ControlFlowProgram, Observe
from tests.engines.termination.formula_programs import observed, with_formula

P, Q = variable("p", BOOL), variable("q", BOOL)
SEEN = Observe(letters=(("p", P), ("q", Q)))
TEXT = "int x; int main(void) { x = 1; x = 2; return 0; }"
GUESSES = Automaton(
    ("$1",),
    (0,),
    (False, True),
    (ALWAYS, ALWAYS),
    (AutomatonEdge(0, ALWAYS, 0), AutomatonEdge(0, ALWAYS, 1), AutomatonEdge(1, ((("$1", True),),), 1)),
)
"""It guesses when its proposition begins to hold for ever: two moves with the same guard."""


class Reads(ReadingChecker, kw_only=True):
    """Ways with an automaton, and nothing else."""

    automaton: Automaton
    moves: frozenset[tuple[int, int]] | None = None

    def read_by(self) -> Automaton:
        return self.automaton

    def kept_moves(self) -> frozenset[tuple[int, int]] | None:
        return self.moves


def reads(
    program: ControlFlowProgram, automaton: Automaton = GUESSES, moves: frozenset[tuple[int, int]] | None = None
) -> Reads:
    facts = ProgramFacts(program, "temporal")
    checker = Reads(facts, Script(), (), lambda node: node.is_false, lambda: None, automaton=automaton, moves=moves)
    checker._prepare()
    return checker


def ways(checker: Reads, node: int = 0) -> list[Way]:
    """All ways from the entry to where they end."""
    first = checker._begin(None, checker._exact)
    waiting, found = [Way(Place((), first.place.location, node), first.state, ())], []
    while waiting:
        way = waiting.pop()
        after = [checker._after(way, edge, checker._exact) for edge in checker._leaving(way)]
        going = [one for one in after if one is not None and not any(c.is_false for c in one.conditions)]
        waiting += going
        if not going:
            found.append(way)
    return found


@pytest.mark.parametrize(
    ("guard", "meaning"),
    [
        ((), FALSE),
        (ALWAYS, TRUE),
        (((("p", True),),), P),
        (((("p", False),),), negate(P)),
        (((("p", True), ("q", False)),), conjunction(P, negate(Q))),
        (((("p", True),), (("q", True),)), disjunction(P, Q)),
        (((("p", True), ("p", False)),), FALSE),
    ],
)
def test_guards_say_what_they_say(guard: tuple[tuple[tuple[str, bool], ...], ...], meaning: object) -> None:
    assert condition(guard, SEEN) is meaning


def test_guards_speak_only_of_what_is_observed() -> None:
    with pytest.raises(Refusal, match="not observed"):
        condition(((("p", True),), (("r", False),)), SEEN)
    with pytest.raises(Refusal, match="not observed"):
        condition(((("p", True),),), Observe())


@pytest.mark.parametrize(
    "wrong",
    [
        replace(GUESSES, ends=(ALWAYS,)),
        replace(GUESSES, ends=(ALWAYS,) * 3),
        replace(GUESSES, accepting=(True,)),
        replace(GUESSES, initial=(2,)),
        replace(GUESSES, initial=(-1,)),
        replace(GUESSES, edges=(AutomatonEdge(0, ALWAYS, 2),)),
        replace(GUESSES, edges=(AutomatonEdge(2, ALWAYS, 0),)),
        replace(GUESSES, edges=(AutomatonEdge(-1, ALWAYS, 0),)),
        replace(GUESSES, edges=(AutomatonEdge(0, ALWAYS, -1),)),
    ],
)
def test_nodes_that_do_not_exist_are_refused(wrong: Automaton) -> None:
    with pytest.raises(Refusal, match="not well formed"):
        well_formed(wrong)


@pytest.mark.parametrize("node", [-1, 2])
def test_nodes_of_points_must_exist(node: int) -> None:
    well_formed(GUESSES, [0, 1])
    with pytest.raises(Refusal, match="not well formed"):
        well_formed(GUESSES, [0, node])


def test_the_formula_is_that_of_the_program(tmp_path: Path) -> None:
    program = observed(tmp_path, TEXT, "[]{x == 2}")
    assert formula_of(with_formula(program, "true")) is EVERY_WORD
    with pytest.raises(PincerError, match="no formula"):
        formula_of(with_formula(program, ""))
    with pytest.raises(PincerError):
        formula_of(with_formula(program, "[]("))


def test_moves_with_the_same_guard_are_ways_of_their_own(tmp_path: Path) -> None:
    """Trap: two decisions that look the same lead to different nodes; neither may stand for the other."""
    checker = reads(observed(tmp_path, TEXT, "[]{x != 7}"))
    looks = max(sum(edge in checker._targets for edge in way.edges) for way in ways(checker))
    assert looks >= 2
    ends = sorted(way.place.node for way in ways(checker))
    assert ends == [0] + [1] * looks, "it moves to node 1 at one of the looks, or at none"


def test_a_guard_that_does_not_hold_is_no_way_on(tmp_path: Path) -> None:
    checker = reads(observed(tmp_path, TEXT, "[]{x == 7}"))
    found = ways(checker)
    into = [[edge for edge in way.edges if checker._targets.get(edge) == 1] for way in found]
    assert sorted(map(len, into)) == [0] + [1] * (len(found) - 1), "from node 1 no move can be made"
    assert len(found) > 2 and sum(way.place.node == 0 for way in found) == 1


def test_only_the_moves_that_are_kept_are_made(tmp_path: Path) -> None:
    program = observed(tmp_path, TEXT, "[]{x != 7}")
    [way] = ways(reads(program, moves=frozenset({(0, 0)})))
    assert way.place.node == 0
    jumping = ways(reads(program, moves=frozenset({(0, 1), (1, 1)})))
    assert [way.place.node for way in jumping] == [1]
    [none] = ways(reads(program, moves=frozenset()))
    assert none.place.node == 0 and not reads(program).reads(none)


def test_the_last_state_is_no_decision(tmp_path: Path) -> None:
    checker = reads(observed(tmp_path, TEXT, "[]{x != 7}"))
    for way in ways(checker):
        last = [edge for edge in way.edges if isinstance(edge.label, Observe)]
        assert all(edge.label.last for edge in last if isinstance(edge.label, Observe))
        assert not any(edge in checker._targets for edge in last)


def test_decisions_are_made_once_for_each_node(tmp_path: Path) -> None:
    program = observed(tmp_path, TEXT, "[]{x != 7}")
    checker = reads(program)
    first = next(edge for edge in program.edges() if isinstance(edge.label, Observe) and not edge.label.last)
    assert isinstance(first.label, Observe)
    from_zero, from_one = (checker._decisions(first, first.label, node) for node in (0, 1))
    assert checker._decisions(first, first.label, 0) == from_zero
    assert [checker._targets[edge] for edge in (*from_zero, *from_one)] == [0, 1, 1]
    assert all(isinstance(edge.label, Assume) for edge in from_zero)
    assert {(edge.source, edge.target) for edge in from_zero} == {(first.source, first.target)}


def test_ways_know_whether_they_read_and_accept(tmp_path: Path) -> None:
    checker = reads(observed(tmp_path, TEXT, "[]{x != 7}"))
    first = checker._begin(None, checker._exact)
    assert not checker.reads(first) and not checker.passes_accepting(first)
    found = ways(checker)
    assert all(map(checker.reads, found))
    stays = next(way for way in found if way.place.node == 0)
    assert not checker.passes_accepting(stays)
    assert all(checker.passes_accepting(way) for way in ways(checker, node=1))


def test_the_node_in_which_a_way_ends_is_not_passed(tmp_path: Path) -> None:
    """Or it would count for the way that comes here, and for the one that goes on."""
    checker = reads(observed(tmp_path, TEXT, "[]{x != 7}"))
    way = checker._begin(None, checker._exact)
    while way.place.node == 0:
        after = [checker._after(way, edge, checker._exact) for edge in checker._leaving(way)]
        way = next(one for one in reversed(after) if one is not None)
    assert way.place.node == 1 and not checker.passes_accepting(way)


def test_a_reader_says_which_automaton_it_has(tmp_path: Path) -> None:
    facts = ProgramFacts(observed(tmp_path, TEXT, "[]{x != 7}"), "temporal")
    checker = ReadingChecker(facts, Script(), (), lambda node: node.is_false, lambda: None)
    assert checker.kept_moves() is None
    with pytest.raises(NotImplementedError):
        checker.read_by()
