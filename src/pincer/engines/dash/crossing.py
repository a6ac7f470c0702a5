"""What crossing a hop does to a state, and from where a hop may lead into a formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pincer.abstraction.preimage import Preimage, StraddlingRead, open_preimage, preimage
from pincer.engines.dash.goals import TARGET, EnterCall, Hop, Straight
from pincer.engines.dash.searches import Undecided
from pincer.engines.questions import Questions
from pincer.execution.machine import State
from pincer.execution.stepping import Stop, step
from pincer.execution.testing import Node
from pincer.logic import bitvectors
from pincer.logic.bitvector_projection import over_approximate
from pincer.logic.bitvectors import state_reads
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, Term, conjunction, equal, substitute
from pincer.program.control_flow import Assume, Check, Input, Procedure


def stepped(node: Node, hop: Hop, pins: list[Term]) -> State:
    """The state after a hop of any kind but a call with its return, whether its condition holds or not."""
    label = hop.label
    if isinstance(label, Assume | Check) or hop.target == TARGET:
        return node.state
    if isinstance(label, EnterCall):
        return assigned(node.state, zip(label.callee.parameters, label.call.arguments, strict=False), pins)
    if isinstance(label, Straight):
        return assigned(node.state, label.values.items(), pins)
    after = step(node.state, hop.edges[0], pins)
    if isinstance(after, Stop):
        raise Undecided(after.message)
    return after


def preimage_of_hop(
    hop: Hop, formula: Term, condition: Term, state: State, own_registers: Mapping[str, Iterable[Term]]
) -> Preimage | None:
    """States before a hop where a condition holds and from which it may lead into a formula."""
    match hop.label:
        case EnterCall(call, callee):
            formula = about_entry(formula, callee, own_registers[callee.name])
            return Preimage(substitute(formula, dict(zip(callee.parameters, call.arguments, strict=False))))
        case Straight(values=values):
            return Preimage(conjunction(substitute(formula, values), condition))
        case label:
            try:
                before = preimage(label, formula, state)
            except StraddlingRead:
                return None
            return Preimage(conjunction(before.formula, condition), before.aliases)


def specialised(hop: Hop, formula: Term, state: State, questions: Questions) -> Preimage | None:
    """A pre-image for states that agree with a given one where it matters, when there is none for all states.

    Asked for where a value that the hop leaves open cannot be projected out; it costs one more query."""
    if isinstance(hop.label, EnterCall | Straight):
        return None
    try:
        before = open_preimage(hop.label, formula, state)
    except StraddlingRead:
        return None
    written = hop.label.register if isinstance(hop.label, Input) else None
    leaves = [leaf for leaf in (*state_reads(before.formula), *before.formula.variables) if leaf is not written]
    agreeing = [_equals_value(leaf, state) for leaf in leaves if not _is_open(leaf, written)]
    try:
        core = questions.core([before.formula], agreeing)
    except SolverUnknown:
        return None
    if core is None:
        return None
    return Preimage(FALSE, (*before.aliases, *(agreeing[i] for i in core)))


def about_entry(formula: Term, callee: Procedure, own: Iterable[Term]) -> Term:
    """A formula about a procedure's entry, weakened where it speaks of its `own` registers that have no value there."""
    for register in own:
        if register in formula.variables and register not in callee.parameters:
            formula = over_approximate(formula, register)
    return formula


def assigned(state: State, values: Iterable[tuple[Term, Term]], pins: list[Term]) -> State:
    """The state after simultaneous assignments."""
    evaluated = [(register, state.value(value), state.symbolic(value, pins)) for register, value in values]
    for register, number, term in evaluated:
        state = state.with_register(register, number, None if term.op == "bvconst" else term)
    return state


def _is_open(leaf: Term, written: Term | None) -> bool:
    """Whether a leaf is, or is read through, a value that a step leaves open."""
    return any(v is written or str(v.args[0]).startswith("~") for v in leaf.variables)


def _equals_value(leaf: Term, state: State) -> Term:
    return equal(leaf, bitvectors.constant(state.value(leaf), bitvectors.width(leaf)))
