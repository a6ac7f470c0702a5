"""Conditions carried back over moves mean before what they mean after."""

from __future__ import annotations

from random import Random

from pincer.engines.outlines.carrying import Carrier, Guesses, size_of
from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.limits import LIMITS
from pincer.logic import bitvectors, terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Input
from pincer.program.registers import global_register, is_local, register_of
from pincer.program.threaded_system import Move, Perform, Place, UnfoldedThread
from tests.engines.outlines.outlined_programs import form_of, holds, place, thread_of
from tests.evidence.thread_proof.threaded_programs import COUNTER, HAND_OVER

X = global_register("x", 32)
V, W = register_of("worker", "v", 32), register_of("worker", "w", 32)
BRANCHES = """
int x, y;
void *f(void *a) {
  int v = x, w = 2 * v + 1;
  if (w > 7) { if (v != 5) w = v; else w = 1; }
  y = w;
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""


def number(value: int) -> Term:
    return bitvectors.constant(value, 32)


def plus(left: Term, value: int) -> Term:
    return bitvectors.binary("bvadd", left, number(value))


def assume(condition: Term) -> list[Perform]:
    return [Perform(Assume(condition))]


def assign(register: Term, value: Term) -> list[Perform]:
    return [Perform(Assign(register, value))]


def carried(thread: UnfoldedThread) -> Carrier:
    """The conditions of the branches of a thread made by hand; the form is of a program with a thread 0."""
    carrier = Carrier(form_of(COUNTER))
    carrier.conditions(thread)
    return carrier


def test_a_branch_on_a_copy_is_a_condition_about_what_was_copied() -> None:
    is_three = terms.equal(V, number(3))
    carrier = carried(thread_of((0, assign(V, plus(X, 1)), 1), (1, assume(is_three), 2)))
    assert list(carrier.shared) == [terms.equal(X, number(2))]
    assert carrier.own[0] == {place(1): {is_three: None}}


def test_what_compares_a_register_with_shared_data_is_the_threads_own() -> None:
    same = terms.equal(V, X)
    carrier = carried(thread_of((0, assume(same), 1)))
    assert not carrier.shared and carrier.own[0] == {place(0): {same: None}}


def test_what_is_read_from_outside_or_settled_is_not_carried_further() -> None:
    is_three = terms.equal(V, number(3))
    for before in ([Perform(Input(V, "nondet"))], assign(V, number(3)), assign(V, number(4))):
        carrier = carried(thread_of((0, before, 1), (1, assume(is_three), 2)))
        assert not carrier.shared
        assert list(carrier.own[0]) == [place(1)]


def test_around_a_loop_conditions_are_carried_so_often_and_not_for_ever() -> None:
    carrier = carried(thread_of((0, assign(X, plus(X, 1)), 0), (0, assume(terms.equal(X, number(100))), 1)))
    assert list(carrier.shared) == [terms.equal(X, number(100 - i)) for i in range(LIMITS.carried)]


def test_branches_are_carried_back_to_shared_data() -> None:
    form = form_of(COUNTER)
    carrier = Carrier(form)
    for thread in form.system.threads:
        carrier.conditions(thread)
    assert terms.equal(X, number(1)) in carrier.shared
    assert not any(is_local(v) for atom in carrier.shared for v in atom.variables)


def test_what_leads_to_a_wait_is_seen() -> None:
    form = form_of(HAND_OVER)
    [condition] = form.objects.waiters
    ready = global_register("ready", 32)
    seen = Carrier(form).seen_before(form.system.threads[0], condition)
    assert terms.equal(ready, number(0)) in seen
    assert terms.negate(terms.equal(ready, number(0))) not in seen
    assert Carrier(form).seen_before(form.system.threads[0], condition + 1) == []
    assert Carrier(form).seen_before(form.system.threads[1], condition) == []


def after(move: Move, values: dict[Term, int]) -> dict[Term, int] | None:
    """The registers after a local move; None if it is not taken."""
    made = dict(values)
    for action in move.actions:
        match action:
            case Perform(label=Assume(condition)):
                if not holds(condition, made):
                    return None
            case Perform(label=Assign(register, value)):
                made[register] = int(evaluate(value, {v: made[v] for v in value.variables}))
    return made


def walked(moves: list[Move], start: Place, end: Place, values: dict[Term, int]) -> dict[Term, int]:
    """The registers where the one way that is taken comes to its end."""
    at: Place | None = start
    while at != end:
        [(at, values)] = [
            (move.target, found) for move in moves if move.source == at and (found := after(move, values)) is not None
        ]
    return values


def registers_of(form: ThreadedForm, thread: UnfoldedThread) -> set[Term]:
    labels = [a.label for move in thread.moves for a in move.actions if isinstance(a, Perform)]
    assigned = [label for label in labels if isinstance(label, Assign)]
    return {v for label in assigned for v in (label.register, *label.value.variables)}


def test_over_local_moves_a_guess_is_what_makes_it_true_later() -> None:
    """Where all that was added holds, every way to the cut point ends with the guess; and it is no stronger."""
    form = form_of(BRANCHES)
    worker, rng = form.system.threads[1], Random(2)
    registers = registers_of(form, worker)
    [w] = [r for r in registers if str(r.args[0]).endswith("::w")]
    [write] = [m for m in worker.moves if isinstance(m.label, Assign) and str(m.label.register) == "y"]
    goal = bitvectors.compare("bvult", w, number(4))
    places: dict[Place, Guesses] = {each: {} for each in worker.places}
    places[write.source][goal] = None
    Carrier(form).over_local_moves(worker, places)
    local = [m for m in worker.moves if m.target is not None and m.source not in form.cuts[1]]
    reaching = [each for each in places if places[each] and each != write.source]
    assert len(reaching) >= 4
    for start in reaching:
        for _ in range(60):
            values = {r: rng.choice((0, 1, 3, 4, 5, 6, rng.getrandbits(32))) for r in registers}
            ended = walked(local, start, write.source, values)
            assert all(holds(guess, values) for guess in places[start]) == holds(goal, ended), (start, values)


def test_cases_are_what_a_branch_means_for_what_follows() -> None:
    """Of several conditions about shared data each has a case before the branch, and before the copy before it."""
    is_three, is_two = terms.equal(V, number(3)), terms.equal(X, number(2))
    thread = thread_of((0, assign(V, X), 1), (1, assume(is_three), 2), (2, assign(W, number(0)), 3))
    carrier = Carrier(form_of(COUNTER))
    carrier.shared[is_two] = None
    places: dict[Place, Guesses] = {each: {} for each in thread.places}
    carrier.cases(thread, places)
    assert list(places[place(1)]) == [terms.disjunction(terms.negate(is_three), is_two)]
    assert list(places[place(0)]) == [terms.disjunction(terms.negate(terms.equal(X, number(3))), is_two)]
    assert not places[place(2)] and not places[place(3)]


def test_cases_are_not_carried_over_other_branches() -> None:
    """Those have cases of their own."""
    is_three, is_five, is_two = terms.equal(V, number(3)), terms.equal(V, number(5)), terms.equal(X, number(2))
    thread = thread_of((0, assume(terms.negate(is_five)), 1), (1, assume(is_three), 2))
    carrier = Carrier(form_of(COUNTER))
    carrier.shared[is_two] = None
    places: dict[Place, Guesses] = {each: {} for each in thread.places}
    carrier.cases(thread, places)
    assert list(places[place(0)]) == [terms.disjunction(is_five, is_two)]


def test_the_size_of_a_term_counts_each_part_once() -> None:
    product = bitvectors.binary("bvmul", V, W)
    assert size_of(product) == 3
    assert size_of(bitvectors.binary("bvudiv", product, product)) <= 4
