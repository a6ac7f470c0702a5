"""The step function: perform the present of a statement on the store, and say what remains.

An outcome either ends here, continues with a remainder at the next state, or imposes no length. What waits for the
decision on the length (`keep`, `fin`, `frame`) travels along as deferred work. FALSE is the exception
`InconsistentState`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple

from pincer.execution.msvl.assignment import declare, read_inputs, write_output, writes_of
from pincer.execution.msvl.calls import arguments_of, enter, external_call, give, result_of
from pincer.execution.msvl.effects import ALONE, FREE, StatementEffects
from pincer.execution.msvl.evaluation import Place, evaluate, holds, place_of
from pincer.execution.msvl.machine import Machine, Slot
from pincer.execution.msvl.records import (
    InconsistentState,
    InstantaneousLoop,
    LengthConflict,
    OutOfBounds,
    WrongType,
)
from pincer.execution.msvl.residual import (
    EMPTY,
    TRUE,
    Anything,
    Both,
    Counted,
    Pending,
    PendingActivation,
    Project,
    Scoped,
    Then,
    Together,
    both,
    then,
    together,
)
from pincer.execution.msvl.store import ObjectInfo
from pincer.execution.msvl.values import Value, integer_term
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression, Node
from pincer.frontends.msvl.text import expression_text
from pincer.frontends.msvl.types import INT
from pincer.logic import terms

ENDS: Final = 0
CONTINUES: Final = 1
OPEN: Final = 2


class Deferred(NamedTuple):
    """Work that waits until the length of its interval is decided at this state."""

    kind: Literal["keep", "fin", "frame"]
    body: Any
    scope: int


class StepOutcome(NamedTuple):
    """`kind` is ENDS, CONTINUES or OPEN (no length imposed)."""

    kind: int
    rest: Node = TRUE
    deferred: tuple[Deferred, ...] = ()


_ENDED: Final = StepOutcome(ENDS)
_OPEN: Final = StepOutcome(OPEN)


def step(m: Machine, statement: Node) -> StepOutcome:
    """Perform the present of the statement; its remainder is for the next state."""
    if m.passed is not None:
        m.passed.append(statement)
    return _STEPS[type(statement)](m, statement)


def settled(m: Machine, statement: Node) -> StepOutcome:
    """A step whose length is decided: a statement that imposes none ends here."""
    books = m.books
    outer = books.own
    books.own = {}
    outcome = step(m, statement)
    if outcome.kind == OPEN:
        if outcome.deferred:
            books.siblings.append(dict(books.own))
            _run_deferred(m, ENDS, outcome.deferred)
            books.siblings.pop()
        outcome = _ENDED
    outer.update(books.own)
    books.own = outer
    return outcome


def _run_deferred(m: Machine, kind: int, deferred: tuple[Deferred, ...]) -> list[Node]:
    """Do what was waiting for this decision; what remains of `keep` bodies is returned."""
    rests: list[Node] = []
    with _siblings(m, step) as run:
        for work in deferred:
            if work.kind == "frame":
                if kind == CONTINUES and m.strict:
                    m.frame(work.scope, work.body.names)
            elif (work.kind == "keep") == (kind == CONTINUES):
                caller, m.scope = m.scope, work.scope
                outcome = run(work.body)
                m.scope = caller
                if outcome.kind not in (OPEN, kind):
                    message = f"the body of this `{work.kind}` disagrees on the end of the interval"
                    raise m.error(LengthConflict, work.body.at, message)
                rests.append(outcome.rest)
                rests += _run_deferred(m, kind, outcome.deferred)
    return rests


def _combined(m: Machine, outcomes: list[StepOutcome], at: int) -> StepOutcome:
    """The conjunction of outcomes."""
    kind = OPEN
    deferred: tuple[Deferred, ...] = ()
    rests: list[Node] = []
    for one, rest, waiting in outcomes:
        if one != OPEN:
            if kind != OPEN and kind != one:
                raise m.error(LengthConflict, at, "one part of this conjunction ends here and another goes on")
            kind = one
        if rest is not TRUE:
            rests.append(rest)
        if waiting:
            deferred += waiting
    if kind == OPEN:
        return StepOutcome(OPEN, both(rests, at), deferred)
    if deferred:
        rests += _run_deferred(m, kind, deferred)
    return StepOutcome(CONTINUES, both(rests, at)) if kind == CONTINUES else _ENDED


def _conjunction(m: Machine, node: syntax.And | Both) -> StepOutcome:
    effects = m.analysis.schedule(m.store, node, node.parts)
    if effects is ALONE:
        return _combined(m, [step(m, part) for part in node.parts], node.at)
    books = m.books
    outer, together_written = books.own, dict[Slot, Value]()
    books.siblings.append(together_written)

    def run(part: Node) -> StepOutcome:
        books.own = {}
        outcome = step(m, part)
        together_written.update(books.own)
        return outcome

    outcomes = _run_all(m, node.parts, effects, run)
    books.own = {}
    outcome = _combined(m, outcomes, node.at)
    together_written.update(books.own)
    books.siblings.pop()
    outer.update(together_written)
    books.own = outer
    return outcome


def _run_all(
    m: Machine, parts: tuple[Node, ...], effects: tuple[StatementEffects, ...], run: Callable[[Node], StepOutcome]
) -> list[StepOutcome]:
    """The outcomes of parts that share this state, in the order of the text."""
    if effects is FREE or effects is ALONE:
        return [run(part) for part in parts]
    return _in_order(m, parts, effects, run)


def _in_order(
    m: Machine, parts: tuple[Node, ...], effects: tuple[StatementEffects, ...], run: Callable[[Node], StepOutcome]
) -> list[StepOutcome]:
    """Run the parts in the order of their data; the outcomes come back in the order of the text.

    A `keep` or `fin` whose body others wait for runs as soon as the length is decided.
    """
    outcomes: dict[int, StepOutcome] = {}
    waiting: dict[int, StepOutcome] = {}
    kind = OPEN
    remaining = list(range(len(parts)))
    while remaining:
        chosen = _next_part(m, remaining, effects, waiting, parts)
        remaining.remove(chosen)
        outcome = outcomes[chosen] = run(parts[chosen])
        if kind == OPEN and outcome.kind != OPEN:
            kind = outcome.kind
        if outcome.deferred:
            waiting[chosen] = outcome
        if kind != OPEN:
            for number, early in waiting.items():
                rests = _run_deferred(m, kind, early.deferred)
                outcomes[number] = StepOutcome(early.kind, both([early.rest, *rests]))
            waiting.clear()
    return [outcomes[i] for i in range(len(parts))]


def _next_part(
    m: Machine,
    remaining: list[int],
    effects: tuple[StatementEffects, ...],
    waiting: dict[int, StepOutcome],
    parts: tuple[Node, ...],
) -> int:
    for i in remaining:
        pending = [effects[j] for j in (*remaining, *waiting) if j != i]
        if not m.analysis.blocked(effects[i], pending):
            return i
    first = remaining[0]
    if len(remaining) > 1:
        m.warn(getattr(parts[first], "at", 0), "these conjuncts read what each other writes; they run as written")
    return first


def _parallel(m: Machine, node: syntax.Parallel | Together) -> StepOutcome:
    effects = m.analysis.schedule(m.store, node, node.parts)
    with _siblings(m) as run:
        outcomes = _run_all(m, node.parts, effects, run)
    live = [outcome.rest for outcome in outcomes if outcome.kind == CONTINUES]
    return StepOutcome(CONTINUES, together(live)) if live else _ENDED


def _chop(m: Machine, node: syntax.Chop) -> StepOutcome:
    last = len(node.parts) - 1
    for i in range(last):
        outcome = settled(m, node.parts[i])
        if outcome.kind == CONTINUES:
            return StepOutcome(CONTINUES, then(outcome.rest, _tail(m, node, i + 1)))
    return step(m, node.parts[last])


def _tail(m: Machine, node: syntax.Chop, start: int) -> Node:
    """The parts of a sequence from `start` on, the same object every time."""
    if start == len(node.parts) - 1:
        return node.parts[start]
    found = m.tails.get((node, start))
    if found is None:
        found = m.tails[node, start] = syntax.Chop(node.parts[start:], node.parts[start].at)
    return found


def _then(m: Machine, node: Then) -> StepOutcome:
    outcome = settled(m, node.first)
    if outcome.kind == CONTINUES:
        return StepOutcome(CONTINUES, then(outcome.rest, node.after))
    return step(m, node.after)


def _immediate(m: Machine, node: syntax.Immediate) -> StepOutcome:
    for slot, value in list(writes_of(m, place_of(m, node.target), node.value)):
        m.write(slot, value, node.at)
    return _OPEN


def pending(m: Machine, place: Place, value: Expression, target: Expression, at: int) -> Pending:
    """The assignment that `place := value` leaves for the next state; both are evaluated now."""
    writes = list(writes_of(m, place, value))
    generations = m.store.generations
    if len(writes) == 1:
        slot, (concrete, symbolic) = writes[0]
        return Pending((slot,), (concrete,), (symbolic,), (generations[slot[0]],), target, at)
    slots, values = zip(*writes, strict=True)
    concretes, symbolics = zip(*values, strict=True)
    return Pending(slots, concretes, symbolics, tuple(generations[number] for number, _ in slots), target, at)


def _unit(m: Machine, node: syntax.Unit) -> StepOutcome:
    place = place_of(m, node.target)
    return StepOutcome(CONTINUES, pending(m, place, node.value, node.target, node.at))


def _pending(m: Machine, node: Pending) -> StepOutcome:
    for i, slot in enumerate(node.targets):
        if m.store.generations[slot[0]] != node.generations[i]:
            slot = (0, 0)
        m.write(slot, Value(node.concretes[i], node.symbolics[i]), node.at)
    return _ENDED


def _declaration(m: Machine, node: syntax.Declaration) -> StepOutcome:
    rests: list[Node] = []
    for declarator in node.declarators:
        place = declare(m, node.type, declarator)
        if declarator.initial is None:
            continue
        if declarator.unit:
            rests.append(pending(m, place, declarator.initial, syntax.Name(declarator.name), declarator.at))
        else:
            for slot, value in list(writes_of(m, place, declarator.initial)):
                m.write(slot, value, declarator.at)
    return StepOutcome(CONTINUES, both(rests)) if rests else _OPEN


def _length(m: Machine, node: syntax.LengthStatement) -> StepOutcome:
    value = evaluate(m, node.count)
    if not isinstance(value.concrete, int):
        raise m.error(WrongType, node.at, "a length is an integer")
    if value.symbolic is not None:
        m.constrain(terms.equal(integer_term(value), terms.integer(value.concrete)), True, node.count.at)
    if value.concrete < 0:
        raise m.error(OutOfBounds, node.at, f"the length {value.concrete} is negative")
    return _counted(m, Counted(value.concrete))


def _counted(m: Machine, node: Counted) -> StepOutcome:
    if node.left == 0:
        return _ENDED
    return StepOutcome(CONTINUES, Counted(node.left - 1) if node.left > 1 else EMPTY)


def _evaluate(m: Machine, node: syntax.Evaluate) -> StepOutcome:
    call = node.expression
    if isinstance(call, syntax.Call):
        if not call.external and call.function in m.program.functions:
            scope = enter(m, m.program.functions[call.function], arguments_of(m, call), call.at)
            return _activation(
                m, PendingActivation(call.function, scope, m.program.functions[call.function].body, None)
            )
        external_call(m, call)
        return _OPEN
    if holds(m, call):
        return _OPEN
    raise m.error(InconsistentState, node.at, f"`{expression_text(call)}` does not hold here")


def _bind(m: Machine, node: syntax.Bind) -> StepOutcome:
    function = m.program.functions[node.call.function]
    assert function.result is not None
    scope = enter(m, function, arguments_of(m, node.call), node.at)
    info = ObjectInfo(node.name, function.result, m.program.layouts.slots(function.result), True, True)
    number = m.store.scopes[m.scope].names.get(node.name)
    if number is None:
        number = m.store.allocate(info, m.scope)
    return _activation(m, PendingActivation(function.name, scope, function.body, number))


def _activation(m: Machine, node: PendingActivation) -> StepOutcome:
    caller, m.scope = m.scope, node.scope
    m.books.active.append(node.scope)
    m.depth += 1
    outcome = step(m, node.body) if node.result is None else settled(m, node.body)
    m.depth -= 1
    m.scope = caller
    if outcome.kind == CONTINUES:
        return StepOutcome(CONTINUES, PendingActivation(node.function, node.scope, outcome.rest, node.result))
    if node.result is not None:
        function = m.program.functions[node.function]
        give(m, node.result, result_of(m, function, node.scope, function.at))
    return _left(m, node.scope, outcome, lambda rest: PendingActivation(node.function, node.scope, rest, None))


def _scoped(m: Machine, node: Scoped) -> StepOutcome:
    caller, m.scope = m.scope, node.scope
    m.books.active.append(node.scope)
    outcome = step(m, node.body)
    m.scope = caller
    if outcome.kind == CONTINUES:
        return StepOutcome(CONTINUES, Scoped(node.scope, outcome.rest))
    return _left(m, node.scope, outcome, lambda rest: Scoped(node.scope, rest))


def _left(m: Machine, scope: int, outcome: StepOutcome, wrap: Callable[[Node], Node]) -> StepOutcome:
    """The outcome of a body that need not continue; its scope ends with the state unless something still uses it."""
    if outcome.kind == ENDS or (outcome.rest is TRUE and not outcome.deferred):
        m.books.ended.append(scope)
        return outcome
    rest = TRUE if outcome.rest is TRUE else wrap(outcome.rest)
    return StepOutcome(OPEN, rest, outcome.deferred)


def _local(m: Machine, node: syntax.Local) -> StepOutcome:
    scope = m.store.open_scope(m.scope)
    for name in node.names:
        m.store.allocate(ObjectInfo(name, INT, 1, False, False), scope)
    return _scoped(m, Scoped(scope, node.body))


def _if(m: Machine, node: syntax.If) -> StepOutcome:
    if holds(m, node.condition):
        return step(m, node.then)
    return _ENDED if node.otherwise is None else step(m, node.otherwise)


def _while(m: Machine, node: syntax.While) -> StepOutcome:
    """A body that takes no time is run again in the same state, until it does or nothing changes any more."""
    for _ in range(m.options.max_rounds):
        if not holds(m, node.condition):
            return _ENDED
        before = m.store.contents, len(m.inputs)
        outcome = settled(m, node.body)
        if outcome.kind == CONTINUES:
            return StepOutcome(CONTINUES, then(outcome.rest, node))
        if m.rejecting:
            raise m.error(InconsistentState, node.at, "the body of this loop ends in the state in which it begins")
        if before == (m.store.contents, len(m.inputs)):
            break
    raise m.error(
        InstantaneousLoop, node.at, "this loop goes round for ever in one state; let its body take time, as `skip` does"
    )


def _halt(m: Machine, node: syntax.HaltStatement) -> StepOutcome:
    if holds(m, node.condition):
        return _ENDED
    if node.frames and m.strict:
        names = {n.text for n in syntax.descendants(node.condition) if isinstance(n, syntax.Name)}
        m.frame(m.scope, tuple(names))
    return StepOutcome(CONTINUES, node)


def _always(m: Machine, node: syntax.Always) -> StepOutcome:
    return _combined(m, [step(m, node.body), StepOutcome(OPEN, node)], node.at)


def _or(m: Machine, node: syntax.Or) -> StepOutcome:
    """Each alternative but the last is taken or left by a fresh input; a free choice that fails is taken back."""
    for i, part in enumerate(node.parts[:-1]):
        at = node.parts[i + 1].at
        saved = m.save()
        choice = m.obtain("or", (0, 1), at)
        given = m.inputs[-1].name in m.given
        if not m.decide(choice, at):
            continue
        try:
            return step(m, part)
        except InconsistentState:
            if given:
                raise
            m.restore(saved)
            m.decide(m.obtain("or", (0, 1), at, chosen=0), at)
    return step(m, node.parts[-1])


def _projection(m: Machine, node: syntax.Projection | Project) -> StepOutcome:
    """Parts that end here run in this state; the first live one runs beside the projected program."""
    projected: StepOutcome | None = None
    with _siblings(m) as run:
        for i, part in enumerate(node.parts):
            if projected is None and _goes_first(m, node.whole, part):
                projected = run(node.whole)
            outcome = run(part)
            if outcome.kind == CONTINUES:
                return _projected(outcome.rest, node.parts[i + 1 :], projected or run(node.whole))
        return projected or run(node.whole)


def _projected(first: Node, parts: tuple[Node, ...], whole: StepOutcome) -> StepOutcome:
    """What remains when the first part goes on beside one state of the projected program."""
    if whole.kind == ENDS:
        return StepOutcome(CONTINUES, _sequence([first, *parts]))
    return StepOutcome(CONTINUES, then(first, Project(parts, whole.rest) if parts else whole.rest))


def _goes_first(m: Machine, whole: Node, part: Node) -> bool:
    """Whether the projected program writes at this state what its part reads, and not the other way round."""
    of_whole, of_part = m.analysis.effects(m.store, whole), m.analysis.effects(m.store, part)
    return m.analysis.blocked(of_part, [of_whole]) and not m.analysis.blocked(of_whole, [of_part])


@contextmanager
def _siblings(
    m: Machine, step_of: Callable[[Machine, Node], StepOutcome] = settled
) -> Iterator[Callable[[Node], StepOutcome]]:
    """Steps of statements that share this state: what one writes, the others may only repeat."""
    books = m.books
    outer, written = books.own, dict[Slot, Value]()
    books.siblings.append(written)

    def run(statement: Node) -> StepOutcome:
        books.own = {}
        outcome = step_of(m, statement)
        written.update(books.own)
        return outcome

    yield run
    books.siblings.pop()
    outer.update(written)
    books.own = outer


def _sequence(parts: list[Node]) -> Node:
    total = parts[-1]
    for part in reversed(parts[:-1]):
        total = then(part, total)
    return total


def _frame(m: Machine, node: syntax.FrameStatement) -> StepOutcome:
    return StepOutcome(OPEN, node, (Deferred("frame", node, m.scope),) if m.strict else ())


def _input(m: Machine, node: syntax.InputStatement) -> StepOutcome:
    read_inputs(m, node)
    return _OPEN


def _output(m: Machine, node: syntax.OutputStatement) -> StepOutcome:
    write_output(m, node)
    return _OPEN


_STEPS: dict[type, Callable[[Machine, Any], StepOutcome]] = {
    syntax.Empty: lambda m, n: _ENDED,
    syntax.Skip: lambda m, n: StepOutcome(CONTINUES, EMPTY),
    syntax.More: lambda m, n: StepOutcome(CONTINUES, TRUE),
    Anything: lambda m, n: _OPEN,
    syntax.LengthStatement: _length,
    Counted: _counted,
    syntax.Immediate: _immediate,
    syntax.Unit: _unit,
    Pending: _pending,
    syntax.Declaration: _declaration,
    syntax.InputStatement: _input,
    syntax.OutputStatement: _output,
    syntax.Evaluate: _evaluate,
    syntax.Bind: _bind,
    syntax.FrameStatement: _frame,
    syntax.Next: lambda m, n: StepOutcome(CONTINUES, n.body),
    syntax.Always: _always,
    syntax.Keep: lambda m, n: StepOutcome(OPEN, n, (Deferred("keep", n.body, m.scope),)),
    syntax.Fin: lambda m, n: StepOutcome(OPEN, n, (Deferred("fin", n.body, m.scope),)),
    syntax.HaltStatement: _halt,
    syntax.And: _conjunction,
    Both: _conjunction,
    syntax.Or: _or,
    syntax.Chop: _chop,
    Then: _then,
    syntax.Parallel: _parallel,
    Together: _parallel,
    syntax.If: _if,
    syntax.While: _while,
    syntax.Projection: _projection,
    Project: _projection,
    syntax.Local: _local,
    Scoped: _scoped,
    PendingActivation: _activation,
}
