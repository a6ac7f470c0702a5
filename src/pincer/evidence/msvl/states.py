"""The states that a program goes through on the recorded inputs, and the propositions that hold at them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.msvl.counterexample import Counterexample, State
from pincer.evidence.msvl.expressions import evaluate
from pincer.evidence.msvl.forms import LinearForm
from pincer.evidence.msvl.interpreter import Interpreter
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import CellAddress, CellVariable, Datum, NameScope, NoState, RunCut, is_true
from pincer.evidence.msvl.remainders import Activated, Assignments, Conjoined, Projecting, Scoping, Sequel, Side
from pincer.frontends.msvl import parse_condition, syntax
from pincer.frontends.msvl.program import Program
from pincer.frontends.msvl.syntax import Expression, Node
from pincer.frontends.msvl.types import ArrayOf, StructType, Type
from pincer.frontends.source import SourceText
from pincer.runtime.run import Run


class FreshWord(Struct, frozen=True):
    """The states of an execution with the recorded inputs; `lasso_start` is set when it goes back from its last one.

    `terminated` says that the program ends with the last state, `reason` why the execution is not followed further. A
    fresh execution may go on beyond what is recorded.
    """

    states: tuple[State, ...]
    terminated: bool
    lasso_start: int | None = None
    reason: str = ""


def fresh_word(program: Program, claimed: Counterexample, run: Run | None = None) -> FreshWord:
    """Run the program on the inputs of a counterexample, as far as its claim needs."""
    machine = ReplayMachine(program, claimed.interpretation, claimed.inputs)
    interpreter = Interpreter(machine)
    meanings = {name: meaning(claimed.file, text) for name, text in claimed.propositions.items()}
    looping = claimed.kind == "lasso"
    enough = claimed.interpretation.max_states if looping else len(claimed.states)
    states: list[State] = []
    seen: dict[object, int] = {}
    remaining: Node = program.core
    while len(states) < enough:
        if run is not None:
            run.poll()
        if looping:
            start = seen.setdefault(configuration(machine, remaining), len(states))
            if start < len(states):
                return FreshWord(tuple(states), False, start)
        try:
            outcome = interpreter.settled(remaining)
        except (NoState, RunCut) as reason:
            return FreshWord(tuple(states), False, reason=str(reason))
        states.append(state_of(machine, meanings))
        if outcome.length == "ends":
            return FreshWord(tuple(states), True)
        machine.leave()
        remaining = outcome.rest
    return FreshWord(tuple(states), False, reason=f"it was followed for {enough} states")


def meaning(file: str, text: str) -> Expression:
    expression = parse_condition(text, SourceText(file, text))
    if any(isinstance(node, syntax.Call) for node in syntax.descendants(expression)):
        raise PincerError(f"the proposition `{text}` calls a function; name its result instead")
    return expression


def state_of(machine: ReplayMachine, meanings: Mapping[str, Expression]) -> State:
    """What can be seen at the end of a state."""
    visible = visible_names(machine)
    scopes = (*reversed(machine.now.active), machine.everywhere)
    named = {variable.number: name for scope in scopes for name, variable in scope.own.items()}
    variables = sorted(machine.everywhere.own.items(), key=lambda item: item[1].number)
    values = {name: _text(machine, v, 0, v.type, named) for name, v in variables if "@" not in name}
    ended, machine.now.ended = machine.now.ended, []
    holds = tuple(sorted(name for name, said in meanings.items() if _holds(machine, visible, said)))
    machine.now.ended = ended
    return State(values, holds)


def visible_names(machine: ReplayMachine) -> NameScope:
    """What names mean in propositions: global variables first, then those of the scopes that ran, innermost first."""
    names: dict[str, CellVariable] = {}
    for scope in machine.now.active:
        for part in reversed(list(scope.chain())):
            names |= part.own
    return NameScope(None, names | machine.everywhere.own)


def _holds(machine: ReplayMachine, visible: NameScope, said: Expression) -> bool:
    """A proposition without a value does not hold."""
    try:
        return is_true(machine.within(visible, partial(evaluate, machine), said))
    except NoState:
        return False


def _text(
    machine: ReplayMachine, variable: CellVariable, offset: int, type_: Type | None, named: Mapping[int, str]
) -> str:
    """The value of a variable, or of a part of it, as people write it: `[1, 2]`, `{u: 1, v: NIL}`, `&x`."""
    match type_:
        case ArrayOf(element, length):
            width = machine.size(element)
            parts = (_text(machine, variable, offset + i * width, element, named) for i in range(length))
            return f"[{', '.join(parts)}]"
        case StructType(tag):
            fields = machine.program.layouts.struct(tag).items()
            shown = (f"{name}: {_text(machine, variable, offset + f.offset, f.type, named)}" for name, f in fields)
            return f"{{{', '.join(shown)}}}"
    value = variable.get(offset)
    if isinstance(value, CellAddress) and value.variable is not None and value.variable.number in named:
        return f"&{named[value.variable.number]}" + (f"[{value.offset}]" if value.offset else "")
    return str(value)


def configuration(machine: ReplayMachine, remaining: Node) -> object:
    """All that the rest of a run depends on, comparable; what is gone is no more than gone."""
    variables = tuple(
        (v.number, v.name, v.type, v.size, v.automatic, v.declared, _cells(v))
        for v in sorted(machine.memory.variables.values(), key=lambda variable: variable.number)
    )
    return sum(machine.counts.values()), variables, _names(machine.everywhere), _key(remaining)


def _cells(variable: CellVariable) -> tuple[object, ...]:
    return tuple((offset, _value(value)) for offset, value in sorted(variable.cells.items()))


def _value(value: Datum) -> object:
    if isinstance(value, CellAddress):
        return _which(value.variable), value.offset, value.target, value.low, value.high
    if isinstance(value, LinearForm):
        return value.key
    return type(value), value


def _which(variable: CellVariable | None) -> object:
    if variable is None:
        return None
    return variable.number if variable.there else "gone"


def _names(scope: NameScope | None) -> object:
    if scope is None:
        return None
    return tuple(sorted((name, variable.number) for name, variable in scope.own.items())), _names(scope.parent)


def _key(node: Node) -> object:
    match node:
        case Assignments(cells):
            return "assign", tuple((_which(variable), offset, _value(value)) for variable, offset, value in cells)
        case Sequel(first, after):
            return "then", _key(first), _key(after)
        case Conjoined(parts) | Side(parts):
            return type(node), tuple(map(_key, parts))
        case Projecting(parts, whole):
            return "project", tuple(map(_key, parts)), _key(whole)
        case Scoping(scope, body):
            return "scope", _names(scope), _key(body)
        case Activated(function, scope, body, result):
            return "call", function, _names(scope), _key(body), _which(result)
    return node
