"""What recursive functions return, guessed from executions: contracts that the checker has to see for itself.

A function is called with some arguments. What its own conditions on them tell apart is looked at apart: on each side
the result may be a constant, an argument plus a constant, or lie on one side of an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.termination.limits import LIMITS
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.logic.bitvectors import binary, compare, constant, signed, state_reads, width
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import TRUE, Term, conjunction, equal, implies, negate
from pincer.program.control_flow import Assume, Call, ControlFlowProgram, Edge, Input, Label, Procedure
from pincer.program.passes.recursion import Contracts, leading_to_recursion
from pincer.program.registers import Role, register_of
from pincer.runtime.run import Run

_SAMPLER = "a sampled call"
_AROUND = (-12, -11, -10, -2, -1, 0, 1, 2, 9, 10, 11, 12)


class Sample(Struct, frozen=True):
    """The values of arguments, and what came back."""

    arguments: tuple[int, ...]
    result: int


def likely_contracts(program: ControlFlowProgram, run: Run) -> Iterator[Contracts]:
    """Contracts for all functions with results, the strongest ones first."""
    names = [name for name in sorted(leading_to_recursion(program)) if program.procedures[name].result is not None]
    samples = {name: samples_of(program, name, run) for name in names}
    tried: list[dict[str, Term]] = []
    for only_equal in (True, False):
        found: dict[str, Term] = {}
        for name, known in samples.items():
            contract = _contract(program.procedures[name], known, only_equal)
            if contract is not TRUE:
                found[name] = contract
        if found and found not in tried:
            tried.append(found)
            yield found


def samples_of(program: ControlFlowProgram, name: str, run: Run) -> list[Sample]:
    """What a function returns for some arguments, where it returns soon."""
    callee = program.procedures[name]
    assert callee.result is not None
    arguments = [register_of(_SAMPLER, f"{n}", width(r), Role.TEMPORARY) for n, r in enumerate(callee.parameters)]
    result = register_of(_SAMPLER, "result", width(callee.result), Role.TEMPORARY)
    place, edges = 1 + max(edge.target for edge in program.edges()), list[Edge]()
    labels: list[Label] = [Input(register, _SAMPLER) for register in arguments]
    for label in (*labels, Call(name, tuple(arguments), result)):
        edges.append(Edge(place, place + 1, label, callee.position))
        place += 1
    caller = Procedure(_SAMPLER, (), None, edges[0].source, place, tuple(edges), callee.position)
    calling = replace(program, procedures={**program.procedures, _SAMPLER: caller}, entry=_SAMPLER)
    found: list[Sample] = []
    for values in _tuples(callee):
        tester = Tester(World(calling, _delivering(values), concrete=True))
        last, stop = tester.run(tester.root(), LIMITS.steps_per_sample, run.poll)
        if stop.kind == "halt" and last.frame.caller is None and last.location == caller.exit:
            found.append(Sample(values, last.state.registers[result]))
    return found


def _delivering(values: tuple[int, ...]) -> Callable[[Input, Term], int]:
    """These values as inputs, and zeros after them."""
    waiting = iter(values)
    return lambda _, __: next(waiting, 0)


def _tuples(callee: Procedure) -> Iterator[tuple[int, ...]]:
    """Arguments around the numbers that the function compares with."""
    numbers = {0}
    for condition in _conditions(callee):
        numbers |= {part.args[0] for part in _parts(condition) if part.op == "bvconst"}
    around = sorted({number + step for number in numbers for step in _AROUND})[: LIMITS.sampled_arguments]
    for value in around:
        yield tuple(value & ((1 << width(register)) - 1) for register in callee.parameters)


def _parts(term: Term) -> Iterator[Term]:
    yield term
    for part in term.args:
        if isinstance(part, Term):
            yield from _parts(part)


def _conditions(callee: Procedure) -> Iterator[Term]:
    """The conditions of a function that speak of its parameters only."""
    conditions = (edge.label.condition for edge in callee.edges if isinstance(edge.label, Assume))
    for condition in conditions:
        own = condition.variables <= set(callee.parameters)
        if own and condition.variables and not state_reads(condition):
            yield condition


def _contract(callee: Procedure, samples: Sequence[Sample], only_equal: bool) -> Term:
    """What the samples have in common: on both sides of some condition, or everywhere."""
    best, sides = TRUE, -1
    for condition in dict.fromkeys((TRUE, *_conditions(callee))):
        holds = {sample: _is_true(condition, callee, sample) for sample in samples}
        said: list[Term] = []
        for side, wanted in ((condition, True), (negate(condition), False)):
            inside = [sample for sample in samples if holds[sample] is wanted]
            fact = _fact(callee, inside, only_equal) if len(inside) > 2 else TRUE
            if fact is not TRUE:
                said.append(implies(side, fact))
        if len(said) > sides:
            best, sides = conjunction(*said), len(said)
    return best


def _is_true(condition: Term, callee: Procedure, sample: Sample) -> bool:
    return bool(evaluate(condition, dict(zip(callee.parameters, sample.arguments, strict=True))))


def _fact(callee: Procedure, samples: Sequence[Sample], only_equal: bool) -> Term:
    result = callee.result
    assert result is not None
    bits = width(result)
    if len({sample.result for sample in samples}) == 1:
        return equal(result, constant(samples[0].result, bits))
    usable = [(n, register) for n, register in enumerate(callee.parameters) if width(register) == bits]
    for number, register in usable:
        shifts = {(sample.result - sample.arguments[number]) % (1 << bits) for sample in samples}
        if len(shifts) == 1:
            return equal(result, binary("bvadd", register, constant(shifts.pop(), bits)))
    if only_equal:
        return TRUE
    orders: list[tuple[Callable[[int, int], bool], Callable[[Term], Term]]] = [
        (lambda value, given: value < given, lambda register: compare("bvslt", result, register)),
        (lambda value, given: value > given, lambda register: compare("bvslt", register, result)),
        (lambda value, given: value <= given, lambda register: compare("bvsle", result, register)),
        (lambda value, given: value >= given, lambda register: compare("bvsle", register, result)),
    ]
    for number, register in usable:
        pairs = [(signed(sample.result, bits), signed(sample.arguments[number], bits)) for sample in samples]
        for holds, said in orders:
            if all(holds(value, given) for value, given in pairs):
                return said(register)
    return TRUE
