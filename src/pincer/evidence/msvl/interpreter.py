"""MSVL on recorded inputs, a plain reading of the language: at each state, what happens now and what remains.

Every statement either ends at a state, goes on with a remainder at the next one, or says nothing about the length of
its interval (it is open). What waits for the decision on the length (`keep`, `fin`, `frame`) travels along as deferred
work. Values are concrete throughout; nothing is shared with the execution that finds counterexamples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from pincer.errors import UnsupportedError
from pincer.evidence.msvl.arithmetic import converted
from pincer.evidence.msvl.expressions import (
    Writes,
    assigned,
    evaluate,
    external_call,
    holds,
    place_of,
    value_writes,
    whole,
)
from pincer.evidence.msvl.forms import BeyondForms, LinearForm
from pincer.evidence.msvl.machine import LIMITS, Now, ReplayMachine, Strands
from pincer.evidence.msvl.memory import NIL, Cell, CellVariable, Datum, NameScope, NoState, RunCut, StructValue
from pincer.evidence.msvl.ordering import Ordering, TouchedVariables
from pincer.evidence.msvl.remainders import (
    ANYTHING,
    Activated,
    AnyRemainder,
    Assignments,
    Conjoined,
    Counting,
    Projecting,
    Scoping,
    Sequel,
    Side,
    conjoined,
    sequel,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import RESULT, MsvlFunction
from pincer.frontends.msvl.syntax import Expression, Node
from pincer.frontends.msvl.text import expression_text
from pincer.frontends.msvl.types import (
    INT,
    ArrayOf,
    Basic,
    FunctionPointer,
    StructType,
    Type,
    integer_range,
    named_type,
)

Length = Literal["ends", "goes on", "open"]


class DeferredStatement(NamedTuple):
    """Work that waits until the length of its interval is decided at this state."""

    statement: syntax.Keep | syntax.Fin | syntax.FrameStatement
    scope: NameScope


class StatementOutcome(NamedTuple):
    length: Length
    rest: Node = ANYTHING
    deferred: tuple[DeferredStatement, ...] = ()


ENDED = StatementOutcome("ends")
OPEN = StatementOutcome("open")


def goes_on(rest: Node) -> StatementOutcome:
    return StatementOutcome("goes on", rest)


class Interpreter:
    """Steps statements of one program on one machine."""

    def __init__(self, machine: ReplayMachine) -> None:
        self.m = machine
        self.ordering = Ordering(machine.program)
        machine.private_run = self._private_run

    def step(self, node: Node) -> StatementOutcome:
        """Perform the present of a statement; its remainder is for the next state."""
        m = self.m
        match node:
            case syntax.Empty():
                return ENDED
            case syntax.Skip():
                return goes_on(syntax.Empty())
            case syntax.More():
                return goes_on(ANYTHING)
            case AnyRemainder():
                return OPEN
            case syntax.LengthStatement(count):
                return self._length(evaluate(m, count))
            case Counting(left):
                return goes_on(Counting(left - 1)) if left else ENDED
            case syntax.Immediate(target, value):
                self._write(assigned(m, place_of(m, target), value))
                return OPEN
            case syntax.Unit(target, value):
                return goes_on(Assignments(tuple(assigned(m, place_of(m, target), value))))
            case Assignments(cells):
                self._write(cells)
                return ENDED
            case syntax.Declaration(type_, declarators):
                return self._declaration(type_, declarators)
            case syntax.InputStatement(targets):
                for target in targets:
                    self._input(target)
                return OPEN
            case syntax.OutputStatement(values):
                for value in values:
                    evaluate(m, value)
                return OPEN
            case syntax.Evaluate(expression):
                return self._evaluated(expression)
            case syntax.Bind(name, call):
                return self._bind(name, call)
        return self._composed(node)

    def _composed(self, node: Node) -> StatementOutcome:
        m = self.m
        match node:
            case syntax.And(parts) | Conjoined(parts):
                return self._conjunction(parts)
            case syntax.Parallel(parts) | Side(parts):
                return self._parallel(parts)
            case syntax.Or(parts):
                chosen = next((part for part in parts[:-1] if m.input("or", 0, 1)), parts[-1])
                return self.step(chosen)
            case syntax.Chop(parts):
                return self._sequence(parts)
            case Sequel(first, after):
                return self._sequence((first, after))
            case syntax.If(condition, then, otherwise):
                way = then if holds(m, condition) else otherwise
                return ENDED if way is None else self.step(way)
            case syntax.While(condition, body):
                return self._while(node, condition, body)
            case syntax.Projection(parts, projected) | Projecting(parts, projected):
                return self._projection(parts, projected)
            case syntax.Next(body):
                return goes_on(body)
            case syntax.Always(body):
                return self._conjunction((body,), StatementOutcome("open", node))
            case syntax.Keep() | syntax.Fin() | syntax.FrameStatement():
                return StatementOutcome("open", node, (DeferredStatement(node, m.scope),))
            case syntax.HaltStatement(condition, frames):
                return self._halt(node, condition, frames)
            case syntax.Local(names, body):
                scope = NameScope(m.scope)
                scope.own = {name: m.memory.new(name, INT, 1, automatic=False, declared=False) for name in names}
                return self._scoped(scope, body, lambda rest: Scoping(scope, rest))
            case Scoping(scope, body):
                return self._scoped(scope, body, lambda rest: Scoping(scope, rest))
            case Activated():
                return self._activated(node)
        raise NoState(f"a {type(node).__name__} cannot be run")

    def settled(self, node: Node) -> StatementOutcome:
        """A step whose length is decided: a statement that is open ends here."""
        with Strands(self.m) as strands:
            outcome = strands.run(self.step, node)
            if outcome.length == "open":
                self._decide("ends", outcome.deferred, strands)
                outcome = ENDED
        return outcome

    def _write(self, writes: Writes | tuple[tuple[CellVariable, int, Datum], ...]) -> None:
        for write in writes:
            self.m.write(*write)

    def _length(self, count: Datum) -> StatementOutcome:
        if isinstance(count, LinearForm):
            raise BeyondForms("a length depends on a variable")
        if not isinstance(count, int) or count < 0:
            raise NoState(f"{count} is no length")
        return self.step(Counting(count))

    def _declaration(self, type_: syntax.TypeName, declarators: tuple[syntax.Declarator, ...]) -> StatementOutcome:
        rests: list[Node] = []
        for one in declarators:
            place = whole(self._declared(type_, one))
            if one.initial is not None:
                writes = assigned(self.m, place, one.initial)
                if one.unit:
                    rests.append(Assignments(tuple(writes)))
                else:
                    self._write(writes)
        return goes_on(conjoined(rests)) if rests else OPEN

    def _declared(self, type_name: syntax.TypeName, declarator: syntax.Declarator) -> CellVariable:
        """The variable of the name; executing a declaration again finds the one of the first time."""
        m = self.m
        type_ = self._declared_type(type_name, declarator)
        known = m.scope.own.get(declarator.name)
        if known is not None and known.declared:
            if known.type != type_:
                raise NoState(f"`{declarator.name}` is declared again with another type")
            return known
        if known is not None:
            m.memory.release(known)
        made = m.scope.own[declarator.name] = m.memory.new(declarator.name, type_, m.size(type_), automatic=False)
        return made

    def _declared_type(self, type_name: syntax.TypeName, declarator: syntax.Declarator) -> Type:
        if declarator.signature is not None:
            return FunctionPointer()
        type_ = named_type(type_name, declarator.stars, self.m.program.structs)
        if self.m.how.int32 and isinstance(type_, Basic) and (type_.unsigned or type_.name == "long"):
            position = self.m.program.source.position(type_name.at)
            raise UnsupportedError("with 32-bit integers, `unsigned` and `long` are not modelled", position)
        if type_ == Basic("void"):
            raise NoState(f"`{declarator.name}` cannot be void")
        for number, dimension in reversed(list(enumerate(declarator.dimensions))):
            implied = _initial_length(declarator.initial) if number == 0 else None
            length = implied if dimension is None else evaluate(self.m, dimension)
            if isinstance(length, LinearForm):
                raise BeyondForms("the length of an array depends on a variable")
            if not isinstance(length, int) or length <= 0:
                raise NoState(f"the array `{declarator.name}` cannot have the length {length}")
            type_ = ArrayOf(type_, length)
        return type_

    def _input(self, target: Expression) -> None:
        place = place_of(self.m, target)
        if not isinstance(place.type, Basic) or place.type.name in ("string", "void"):
            raise UnsupportedError("only numbers can be read", self.m.program.source.position(target.at))
        value = self.m.input(expression_text(target), *integer_range(place.type, self.m.how.int32))
        self._write(value_writes(self.m, place, value))

    def _evaluated(self, expression: Expression) -> StatementOutcome:
        """A call, or a condition that has to hold here."""
        functions = self.m.program.functions
        if isinstance(expression, syntax.Call):
            if expression.external or expression.function not in functions:
                external_call(self.m, expression)
                return OPEN
            scope = self._entered(functions[expression.function], self._arguments(expression))
            return self._activated(Activated(expression.function, scope, functions[expression.function].body, None))
        if holds(self.m, expression):
            return OPEN
        raise NoState(f"`{expression_text(expression)}` does not hold here")

    def _arguments(self, call: syntax.Call) -> list[Datum]:
        return [evaluate(self.m, argument) for argument in call.arguments]

    def _entered(self, function: MsvlFunction, arguments: list[Datum]) -> NameScope:
        """A scope in which the formal parameters have the values of the arguments."""
        m = self.m
        if m.calls >= LIMITS.most_calls:
            raise RunCut(f"calls are nested more than {LIMITS.most_calls} deep")
        scope = NameScope(m.everywhere)
        for formal, argument in zip(function.formals, arguments, strict=True):
            value = converted(m, argument, formal.type)
            made = scope.own[formal.name] = m.memory.new(formal.name, formal.type, m.size(formal.type))
            _fill(made, value)
        if function.result is not None:
            scope.own[RESULT] = m.memory.new(RESULT, function.result, m.size(function.result))
        return scope

    def _bind(self, name: str, call: syntax.Call) -> StatementOutcome:
        m, function = self.m, self.m.program.functions[call.function]
        assert function.result is not None
        scope = self._entered(function, self._arguments(call))
        if name not in m.scope.own:
            m.scope.own[name] = m.memory.new(name, function.result, m.size(function.result))
        return self._activated(Activated(function.name, scope, function.body, m.scope.own[name]))

    def _activated(self, call: Activated) -> StatementOutcome:
        m, body, result = self.m, call.body, call.result

        def wrapped(rest: Node) -> Node:
            return Activated(call.function, call.scope, rest, result)

        m.calls += 1
        outcome = self._scoped(call.scope, body, wrapped, settle=result is not None)
        m.calls -= 1
        if result is not None and outcome.length == "ends":
            _fill(result, _result_of(m.program.functions[call.function], call.scope))
        return outcome

    def _scoped(
        self, scope: NameScope, body: Node, wrap: Callable[[Node], Node], settle: bool = False
    ) -> StatementOutcome:
        """Step a body in its scope; the scope ends with the state unless something still uses it."""
        m = self.m
        m.now.active.append(scope)
        outcome = m.within(scope, self.settled if settle else self.step, body)
        if outcome.length != "goes on" and outcome.rest is ANYTHING and not outcome.deferred:
            m.now.ended.append(scope)
        return outcome._replace(rest=outcome.rest if outcome.rest is ANYTHING else wrap(outcome.rest))

    def _private_run(self, function: MsvlFunction, arguments: list[Datum]) -> Datum | None:
        """Run a function to its end on time of its own; the caller's state sees its last values."""
        m = self.m
        before = list(m.memory.variables.values())
        caller, m.now = m.now, Now()
        testing, m.testing = m.testing, False
        scope = self._entered(function, arguments)
        m.calls += 1
        remaining: Node = function.body
        touched: dict[Cell, None] = {}
        for _ in range(LIMITS.most_private_states):
            outcome = m.within(scope, self.settled, remaining)
            touched |= dict.fromkeys(m.now.own)
            if outcome.length == "ends":
                break
            m.leave(kept=before)
            remaining = outcome.rest
        else:
            raise RunCut(f"the external call of {function.name} takes more than {LIMITS.most_private_states} states")
        result = None if function.result is None else _result_of(function, scope)
        m.now.ended.append(scope)
        m.leave(kept=list(m.memory.variables.values()))
        m.calls -= 1
        m.now, m.testing = caller, testing
        for variable, offset in touched:
            if variable in before and variable.there:
                m.write(variable, offset, variable.get(offset))
        return result

    def _sequence(self, parts: tuple[Node, ...]) -> StatementOutcome:
        for number, part in enumerate(parts[:-1], start=1):
            outcome = self.settled(part)
            if outcome.length == "goes on":
                return goes_on(sequel(outcome.rest, *parts[number:]))
        return self.step(parts[-1])

    def _while(self, loop: Node, condition: Expression, body: Node) -> StatementOutcome:
        """A body that takes no time is run again in the same state."""
        for _ in range(LIMITS.most_rounds):
            if not holds(self.m, condition):
                return ENDED
            outcome = self.settled(body)
            if outcome.length == "goes on":
                return goes_on(sequel(outcome.rest, loop))
            if self.m.how.same_state == "reject":
                raise NoState("the body of a loop ends in the state in which it begins")
        raise NoState("a loop goes round for ever in one state")

    def _halt(self, node: Node, condition: Expression, frames: bool) -> StatementOutcome:
        if holds(self.m, condition):
            return ENDED
        if frames:
            self._frame(self.m.scope, {n.text for n in syntax.descendants(condition) if isinstance(n, syntax.Name)})
        return goes_on(node)

    def _frame(self, scope: NameScope, names: set[str]) -> None:
        self.m.now.framed |= {found for name in names if (found := scope.find(name)) is not None}

    def _conjunction(self, parts: tuple[Node, ...], *beside: StatementOutcome) -> StatementOutcome:
        """The parts in the order of their data. Deferred work is done as soon as the length is decided."""
        touched = [self.ordering.of(part) for part in parts]
        outcomes: dict[int, StatementOutcome] = {}
        waiting: list[int] = []
        length: Length = "open"
        remaining = list(range(len(parts)))
        with Strands(self.m) as strands:
            while remaining:
                chosen = self._next(remaining, waiting, touched)
                remaining.remove(chosen)
                outcome = outcomes[chosen] = strands.run(self.step, parts[chosen])
                length = _agreed(length, outcome.length)
                if outcome.deferred:
                    waiting.append(chosen)
                if length != "open":
                    for i in waiting:
                        rests = self._decide(length, outcomes[i].deferred, strands)
                        outcomes[i] = StatementOutcome(outcomes[i].length, conjoined([outcomes[i].rest, *rests]))
                    waiting.clear()
        if length == "ends":
            return ENDED
        found = [*(outcomes[i] for i in range(len(parts))), *beside]
        return StatementOutcome(
            length, conjoined([one.rest for one in found]), sum((one.deferred for one in found), ())
        )

    def _next(self, remaining: list[int], waiting: list[int], touched: list[TouchedVariables]) -> int:
        """The first part that reads nothing that others are still to write; the first of all where there is none."""
        for i in remaining:
            if not self.ordering.waits(touched[i], [touched[j] for j in (*remaining, *waiting) if j != i]):
                return i
        return remaining[0]

    def _decide(self, length: Length, deferred: tuple[DeferredStatement, ...], strands: Strands) -> list[Node]:
        """Do what was waiting for this decision; what remains of `keep` bodies is returned."""
        rests: list[Node] = []
        for statement, scope in deferred:
            if isinstance(statement, syntax.FrameStatement):
                if length == "goes on":
                    self._frame(scope, set(statement.names))
            elif isinstance(statement, syntax.Keep) == (length == "goes on"):
                body = statement.body
                outcome = strands.run(self.m.within, scope, self.step, body)
                _agreed(length, outcome.length)
                rests += [outcome.rest, *self._decide(length, outcome.deferred, strands)]
        return rests

    def _parallel(self, parts: tuple[Node, ...]) -> StatementOutcome:
        touched = [self.ordering.of(part) for part in parts]
        live: dict[int, Node] = {}
        remaining = list(range(len(parts)))
        with Strands(self.m) as strands:
            while remaining:
                chosen = self._next(remaining, [], touched)
                remaining.remove(chosen)
                outcome = strands.run(self.settled, parts[chosen])
                if outcome.length == "goes on":
                    live[chosen] = outcome.rest
        rests = tuple(live[i] for i in sorted(live))
        return goes_on(rests[0] if len(rests) == 1 else Side(rests)) if rests else ENDED

    def _projection(self, parts: tuple[Node, ...], projected: Node) -> StatementOutcome:
        """Parts that end here run in this state; the first that goes on runs beside the projected program."""
        ordering = self.ordering
        whole_touched = ordering.of(projected)
        beside: StatementOutcome | None = None
        with Strands(self.m) as strands:
            for number, part in enumerate(parts, start=1):
                own = ordering.of(part)
                if beside is None and ordering.waits(own, [whole_touched]) and not ordering.waits(whole_touched, [own]):
                    beside = strands.run(self.settled, projected)
                outcome = strands.run(self.settled, part)
                if outcome.length == "goes on":
                    beside = beside or strands.run(self.settled, projected)
                    return goes_on(_projected(outcome.rest, parts[number:], beside))
            return beside or strands.run(self.settled, projected)


def _projected(first: Node, parts: tuple[Node, ...], beside: StatementOutcome) -> Node:
    if beside.length == "ends":
        return sequel(first, *parts)
    return sequel(first, Projecting(parts, beside.rest) if parts else beside.rest)


def _agreed(one: Length, other: Length) -> Length:
    if "open" not in (one, other) and one != other:
        raise NoState("one part of a conjunction ends here and another goes on")
    return other if one == "open" else one


def _initial_length(initial: Expression | None) -> int | None:
    match initial:
        case syntax.ListValue(items):
            return len(items)
        case syntax.Text(value):
            return len(value) + 1
    return None


def _fill(variable: CellVariable, value: Datum) -> None:
    """Give a variable that nobody else can know yet its value."""
    for offset, cell in enumerate(value.cells if isinstance(value, StructValue) else (value,)):
        variable.put(offset, cell)


def _result_of(function: MsvlFunction, scope: NameScope) -> Datum:
    """What the function has left in its result."""
    result = scope.own[RESULT]
    if isinstance(result.type, StructType):
        return StructValue(result.type.tag, tuple(map(result.get, range(result.size))))
    value = result.get(0)
    if value is NIL:
        raise NoState(f"`{function.name}` ended without a value for `{RESULT}`")
    return value
