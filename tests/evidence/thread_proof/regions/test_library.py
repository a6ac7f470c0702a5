"""Operations of the library as steps without threads: run on concrete registers, they do what POSIX says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.thread_proof.regions.library import PRODUCT, ProductLibrary, Way, undefined
from pincer.evidence.thread_proof.sync import EBUSY, ETIMEDOUT, MOST_POSTS
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE, TRUE, Term, substitute
from pincer.program.control_flow import Assign, Assume, Input, Store
from pincer.program.registers import register_of
from pincer.program.thread_labels import (
    AtomicBegin,
    BarrierWait,
    Destroy,
    Detach,
    Initialise,
    Join,
    Lock,
    Once,
    OnceDone,
    Patience,
    Post,
    SameThread,
    Self,
    SemaphoreValue,
    SemaphoreWait,
    SetAttribute,
    Setting,
    Signal,
    SyncKind,
    ThreadOperation,
    Unlock,
    Wait,
    Yield,
)
from tests.evidence.thread_proof.regions.region_programs import BOTH
from tests.evidence.thread_proof.threaded_programs import lowered

TEXT = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; sem_t s;
pthread_once_t o = PTHREAD_ONCE_INIT; pthread_spinlock_t l; int x;
void once(void) { x = 1; }
void *f(void *a) {
  pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); sem_wait(&s); return 0;
}
void *g(void *a) {
  pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); pthread_once(&o, once); return 0;
}
""" + BOTH.replace("AFTER", "pthread_cond_signal(&c);").replace(
    "pthread_t p, q;", "pthread_t p, q; sem_init(&s, 0, 0); pthread_spin_init(&l, 0); pthread_spin_lock(&l);"
)
RESULT = register_of("main", "result", 32)
THREADS = 3
Values = dict[Term, int]


class Tried:
    """The library of a program, whose steps are taken on numbers."""

    def __init__(self) -> None:
        program = lowered(TEXT)
        self.objects = SyncObjects(program, unfolded(program, False))
        self.library = ProductLibrary(self.objects, 64, THREADS)

    def address(self, kind: SyncKind) -> int:
        [address] = self.objects.of(kind)
        return address

    def at(self, kind: SyncKind) -> Term:
        return wide(self.address(kind))

    def start(self) -> Values:
        identities = {self.library.identity(thread): 100 + thread for thread in range(THREADS)}
        return {**self.library.initial(), **identities}

    def outcomes(
        self, label: ThreadOperation, values: Values, me: int = 0, half: str = "", ended: tuple[int, ...] = ()
    ) -> list[Values]:
        """The registers after each way that can be gone."""
        found = (taken(way, values) for way in self.library.ways(label, half, me, ended))
        return [after for after in found if after is not None]

    def only(self, label: ThreadOperation, values: Values, me: int = 0, half: str = "") -> Values:
        [after] = self.outcomes(label, values, me, half)
        return after


def wide(value: int) -> Term:
    return bitvectors.constant(value, 64)


def number(term: Term, values: Mapping[Term, int]) -> int:
    given = {register: bitvectors.constant(value, bitvectors.width(register)) for register, value in values.items()}
    found = substitute(term, given)
    assert found.op == "bvconst", found
    result: int = found.args[0]
    return result


def taken(way: Way, values: Values) -> Values | None:
    """The registers after a way; None if it cannot be gone."""
    after = dict(values)
    for label in way:
        match label:
            case Assume(condition):
                given = {r: bitvectors.constant(value, bitvectors.width(r)) for r, value in after.items()}
                found = substitute(condition, given)
                assert found in (TRUE, FALSE)
                if found is FALSE:
                    return None
            case Assign(register, value):
                after[register] = number(value, after)
            case Input(register):
                after.pop(register, None)
            case Store():
                pass
            case _:
                raise AssertionError(label)
    return after


@pytest.fixture(scope="module")
def tried() -> Iterator[Tried]:
    yield Tried()


@pytest.mark.parametrize("kind", [SyncKind.MUTEX, SyncKind.SPIN_LOCK])
def test_a_lock_is_held_by_one_thread_at_a_time(tried: Tried, kind: SyncKind) -> None:
    lock, unlock = Lock(kind, tried.at(kind), result=RESULT), Unlock(kind, tried.at(kind), result=RESULT)
    held = tried.library.is_held
    for me in range(THREADS):
        after = tried.only(lock, tried.start(), me)
        assert after[RESULT] == 0
        owner = after[tried.library.owner(tried.address(kind))]
        assert owner == me + 1
        given = {tried.library.owner(tried.address(kind)): bitvectors.constant(owner, 8)}
        assert [substitute(held(tried.address(kind), other), given) is TRUE for other in range(THREADS)] == [
            other == me for other in range(THREADS)
        ]
        for other in range(THREADS):
            assert tried.outcomes(lock, after, other) == [], "also by the one that has it"
            assert bool(tried.outcomes(unlock, after, other)) is (other == me)
        assert tried.only(unlock, after, me) == {**tried.start(), RESULT: 0}
    assert tried.outcomes(unlock, tried.start(), 0) == []


@pytest.mark.parametrize(("patience", "code"), [(Patience.NOT_AT_ALL, EBUSY), (Patience.A_WHILE, ETIMEDOUT)])
def test_who_does_not_wait_for_ever_is_told(tried: Tried, patience: Patience, code: int) -> None:
    lock = Lock(SyncKind.MUTEX, tried.at(SyncKind.MUTEX), patience, result=RESULT)
    got = tried.only(lock, tried.start(), 1)
    assert got[RESULT] == 0
    assert tried.only(lock, got, 2) == {**got, RESULT: code}


def test_a_wait_gives_up_the_lock_and_takes_it_again(tried: Tried) -> None:
    mutex, condition = tried.at(SyncKind.MUTEX), tried.at(SyncKind.CONDITION)
    wait = Wait(condition, mutex, result=RESULT)
    assert tried.outcomes(wait, tried.start(), 1, "release") == [], "only with the lock"
    locked = tried.only(Lock(SyncKind.MUTEX, mutex), tried.start(), 1)
    assert tried.outcomes(wait, locked, 2, "release") == []
    waiting = tried.only(wait, locked, 1, "release")
    assert waiting[tried.library.owner(mutex.args[0])] == 0
    assert tried.outcomes(wait, waiting, 1, "resume") == [], "nobody has woken it"
    woken = tried.only(Signal(condition), waiting, 0)
    other = tried.only(Lock(SyncKind.MUTEX, mutex), woken, 0)
    assert tried.outcomes(wait, other, 1, "resume") == [], "the lock is not free"
    again = tried.only(wait, woken, 1, "resume")
    assert again[RESULT] == 0 and again[tried.library.owner(mutex.args[0])] == 2
    by_itself = tried.only(wait, waiting, 1, "spurious")
    assert by_itself == woken
    timed = replace(wait, limit=wide(0))
    assert sorted(after[RESULT] for after in tried.outcomes(timed, woken, 1, "resume")) == [0, ETIMEDOUT]
    assert list(tried.library.ways(wait, "", 1, ())) == [], "a wait has two halves"


def test_a_signal_wakes_one_of_those_that_wait_and_a_broadcast_all(tried: Tried) -> None:
    mutex, condition = tried.at(SyncKind.MUTEX), tried.at(SyncKind.CONDITION)
    values = tried.start()
    signal = Signal(condition, result=RESULT)
    assert tried.only(signal, values) == {**values, RESULT: 0}, "a signal is lost if nobody waits"
    for me in (1, 2):
        values = tried.only(Lock(SyncKind.MUTEX, mutex), values, me)
        values = tried.only(Wait(condition, mutex), values, me, "release")
    one_woken = tried.outcomes(signal, values)
    assert len(one_woken) == 2, "either of them, and never nobody"
    awake = [
        [me for me in (1, 2) if tried.outcomes(Wait(condition, mutex), after, me, "resume")] for after in one_woken
    ]
    assert sorted(awake) == [[1], [2]]
    every = tried.only(replace(signal, everyone=True), values)
    assert all(tried.outcomes(Wait(condition, mutex), every, me, "resume") for me in (1, 2))


def test_semaphores_count(tried: Tried) -> None:
    semaphore = tried.at(SyncKind.SEMAPHORE)
    post, wait = Post(semaphore, result=RESULT), SemaphoreWait(semaphore, result=RESULT)
    assert tried.outcomes(wait, tried.start()) == []
    impatient = tried.only(replace(wait, patience=Patience.NOT_AT_ALL), tried.start())
    assert impatient == {**tried.start(), RESULT: (1 << 32) - 1}
    posted = tried.only(post, tried.start())
    assert tried.only(wait, posted) == {**tried.start(), RESULT: 0}
    assert tried.only(wait, tried.only(post, posted)) == posted


@pytest.mark.parametrize(("value", "fits"), [(0, True), (3, True), (MOST_POSTS, True), (MOST_POSTS + 1, False)])
def test_a_semaphore_begins_with_a_number_that_fits(tried: Tried, value: int, fits: bool) -> None:
    semaphore = tried.at(SyncKind.SEMAPHORE)
    begin = Initialise(SyncKind.SEMAPHORE, semaphore, None, bitvectors.constant(value, 32), result=RESULT)
    after = tried.only(begin, tried.start())
    assert after[RESULT] == (0 if fits else (1 << 32) - 1)
    if fits:
        more = tried.only(Post(semaphore, result=RESULT), after)
        assert (more[RESULT] == 0) is (value < MOST_POSTS)
        assert (more == {**after, RESULT: (1 << 32) - 1}) is (value == MOST_POSTS)
    else:
        assert tried.outcomes(SemaphoreWait(semaphore), after) == []


def test_a_routine_is_run_once_and_others_wait_for_its_end(tried: Tried) -> None:
    once, done = (kind(tried.at(SyncKind.ONCE), result=RESULT) for kind in (Once, OnceDone))
    runs = tried.only(once, tried.start(), 1)
    assert runs[RESULT] == 1
    assert tried.outcomes(once, runs, 2) == []
    over = tried.only(done, runs, 1)
    assert tried.only(once, over, 2) == {**over, RESULT: 0}


def test_only_the_thread_that_is_over_is_joined(tried: Tried) -> None:
    values = tried.start()
    for asked in (1, 2):
        join = Join(wide(100 + asked), wide(0), result=RESULT)
        assert tried.outcomes(join, values) == []
        assert tried.outcomes(join, values, ended=(3 - asked,)) == []
        assert tried.outcomes(join, values, ended=(1, 2)) == [{**values, RESULT: 0}]
    assert tried.outcomes(Join(wide(7), wide(0)), values, ended=(1, 2)) == [], "no thread has this identity"


def test_what_a_thread_returned_is_anything(tried: Tried) -> None:
    [way] = tried.library.ways(Join(wide(101), wide(4096), result=RESULT), "", 0, (1,))
    stored = [label for label in way if isinstance(label, Store)]
    given = [label.register for label in way if isinstance(label, Input)]
    assert [(store.address, store.value) for store in stored] == [(wide(4096), given[0])]
    pointer = register_of("main", "pointer", 64)
    ways = list(tried.library.ways(Join(wide(101), pointer, result=RESULT), "", 0, (1,)))
    assert [any(isinstance(label, Store) for label in way) for way in ways] == [False, True]
    for value in (0, 4096):
        assert len(tried.outcomes(Join(wide(101), pointer), {**tried.start(), pointer: value}, ended=(1,))) == 1


def test_threads_know_themselves_and_each_other(tried: Tried) -> None:
    own = register_of("main", "own", 64)
    assert tried.only(Self(result=own), tried.start(), 2)[own] == 102
    assert tried.only(Self(), tried.start(), 2) == tried.start()
    for other in (101, 102):
        same = SameThread(own, wide(other), result=RESULT)
        assert tried.only(same, {**tried.start(), own: 101})[RESULT] == (other == 101)


def test_what_changes_nothing_succeeds(tried: Tried) -> None:
    mutex = tried.at(SyncKind.MUTEX)
    for label in (
        Detach(wide(101), result=RESULT),
        Destroy(SyncKind.MUTEX, mutex, result=RESULT),
        Yield(result=RESULT),
        SetAttribute(wide(4096), Setting.MUTEX_KIND, result=RESULT),
        Initialise(SyncKind.MUTEX, mutex, result=RESULT),
        Initialise(SyncKind.CONDITION, tried.at(SyncKind.CONDITION), result=RESULT),
    ):
        assert tried.only(label, tried.start()) == {**tried.start(), RESULT: 0}
    held = tried.only(Lock(SyncKind.MUTEX, mutex), tried.start())
    assert tried.outcomes(Initialise(SyncKind.MUTEX, mutex), held) == [], "undefined: the run ends"


def test_results_are_as_wide_as_their_registers(tried: Tried) -> None:
    narrow = register_of("main", "narrow", 8)
    failed = tried.only(SemaphoreWait(tried.at(SyncKind.SEMAPHORE), Patience.NOT_AT_ALL, result=narrow), tried.start())
    assert failed[narrow] == 255


@pytest.mark.parametrize(
    "label",
    [
        AtomicBegin(),
        BarrierWait(wide(4096)),
        SemaphoreValue(wide(4096), wide(4100)),
        Lock(SyncKind.READ_WRITE_LOCK, wide(4096)),
        Unlock(SyncKind.READ_WRITE_LOCK, wide(4096)),
        SetAttribute(wide(4096), Setting.MUTEX_KIND, bitvectors.constant(1, 32)),
        Initialise(SyncKind.BARRIER, wide(4096), None, bitvectors.constant(2, 32)),
        Initialise(SyncKind.SEMAPHORE, wide(4096)),
        Initialise(SyncKind.SEMAPHORE, wide(4096), None, wide(1)),
        Join(wide(101), wide(0), Patience.NOT_AT_ALL),
        Lock(SyncKind.MUTEX, register_of("main", "pointer", 64)),
    ],
)
def test_what_is_not_followed_is_refused(tried: Tried, label: ThreadOperation) -> None:
    with pytest.raises(PincerError):
        list(tried.library.ways(label, "", 0, (1,)))


def test_objects_of_other_kinds_are_refused() -> None:
    text = TEXT.replace("int x;", "int x; pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;")
    program = lowered(text.replace("x = 1;", "x = 1; pthread_rwlock_rdlock(&r);"))
    objects = SyncObjects(program, unfolded(program, False))
    with pytest.raises(PincerError, match="read-write lock is not followed"):
        ProductLibrary(objects, 64, THREADS)


def test_what_is_kept_begins_with_zero_and_anew_with_its_memory(tried: Tried) -> None:
    initial = tried.library.initial()
    assert set(initial.values()) == {0} and len(initial) == 4 + THREADS, "four objects, and who waits"
    used = tried.only(Post(tried.at(SyncKind.SEMAPHORE)), tried.start())
    used = tried.only(Lock(SyncKind.MUTEX, tried.at(SyncKind.MUTEX)), used)
    first, second = tried.address(SyncKind.SEMAPHORE), tried.address(SyncKind.MUTEX)
    assert taken(tried.library.forgotten(first, 1), used) not in (used, tried.start())
    both = [*tried.library.forgotten(first, 1), *tried.library.forgotten(second - 8, 9)]
    assert taken(both, used) == tried.start()
    assert tried.library.forgotten(second - 8, 8) == [] and tried.library.forgotten(second + 1, 8) == []


def test_threads_have_different_names(tried: Tried) -> None:
    names = {tried.library.identity(thread) for thread in range(THREADS)}
    assert len(names) == THREADS and all(bitvectors.width(name) == 64 for name in names)
    label = undefined(register_of(PRODUCT, "joined", 64))
    assert isinstance(label, Input) and label.kind == "undefined"
