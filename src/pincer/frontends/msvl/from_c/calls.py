"""Calls of the program's own functions, and the functions that the translation knows by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import FunctionName
from pincer.frontends.c.semantics.tree import bare
from pincer.frontends.c.semantics.types import CType, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import Operand
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.from_c.expressions import NOTHING, condition, fixed, kept, value
from pincer.frontends.msvl.from_c.input_output import NONDET, nondet, printed, scanned, written
from pincer.frontends.msvl.from_c.steps import ERROR, EXIT, NO_FLAGS, at_once
from pincer.frontends.msvl.program import RESULT

_ABORTS = frozenset(("abort", "__VERIFIER_error", "reach_error", "__assert_fail"))
_EXITS = frozenset(("exit", "_Exit", "_exit", "quick_exit"))


def ending_flags(name: str) -> frozenset[str]:
    """The flags that a call of a function without a body sets, because it ends the program."""
    if name in _ABORTS or name == "__pincer_assert":
        return frozenset((ERROR,))
    return frozenset((EXIT,)) if name in _EXITS else NO_FLAGS


class _TranslatedCall(Struct, frozen=True):
    """A call of one of the program's functions, ready to be written; its arguments have been evaluated."""

    call: syntax.Call
    result: CType
    exits: frozenset[str]


def called(body: TranslatedBody, node: tree.Call, wanted: bool = True) -> Operand:
    """Make the call; its result, when wanted, is in a temporary."""
    if _name(body, node) not in body.whole.functions:
        return _known_by_name(body, node, wanted)
    made = _prepared(body, node)
    if isinstance(made.result, Void) or not wanted:
        body.emit(syntax.Evaluate(made.call), made.exits)
        return NOTHING
    result = body.unset(made.result)
    body.emit(syntax.Unit(result.expression, made.call), made.exits)
    return result


def assigned_call(body: TranslatedBody, node: tree.Expression, target: Operand) -> bool:
    """`x = f(a)` without a temporary, where the result needs no conversion; whether this was such a case."""
    if not isinstance(node, tree.Call) or not fixed(target.expression):
        return False
    name = _name(body, node)
    if name in body.whole.functions:
        if body.whole.program.definitions[name].type.result != target.type:
            return False
        made = _prepared(body, node)
        body.emit(syntax.Unit(target.expression, made.call), made.exits)
        return True
    return name.startswith(NONDET) and nondet(body, node, target) is not None


def _name(body: TranslatedBody, node: tree.Call) -> str:
    if not isinstance(node.callee, FunctionName):
        body.whole.refuse("a call through a pointer", node.written)
    return node.callee.name


def _prepared(body: TranslatedBody, node: tree.Call) -> _TranslatedCall:
    name = _name(body, node)
    function, given = body.whole.program.definitions[name].type, node.arguments
    if len(given) != len(function.parameters):
        body.whole.refuse(
            f"a call of `{name}` with {len(given)} instead of {len(function.parameters)} arguments", node.written
        )
    values = arguments(body, given)
    passed = []
    for argument, found, kind in zip(given, values, function.parameters, strict=True):
        with body.whole.exactly(argument.written):
            passed.append(body.arithmetic.converted(found, kind).expression)
    if not isinstance(function.result, Void):
        passed.append(syntax.Name(RESULT))
    call = syntax.Call(body.whole.functions[name], tuple(passed))
    return _TranslatedCall(call, function.result, body.whole.ending.get(name, NO_FLAGS))


def arguments(body: TranslatedBody, nodes: Sequence[tree.Expression]) -> list[Operand]:
    """The values of arguments from left to right; what a later one might change is kept."""
    found: list[tuple[Operand, int]] = []
    for node in nodes:
        operand = value(body, bare(node))
        found.append((operand, len(body.steps)))
    end = len(body.steps)
    values: list[Operand] = []
    for operand, mark in reversed(found):
        values.append(operand if mark == end else kept(body, operand, mark))
    return values[::-1]


def _known_by_name(body: TranslatedBody, node: tree.Call, wanted: bool) -> Operand:
    name = _name(body, node)
    if name.startswith(NONDET):
        result = nondet(body, node, None)
        assert result is not None
        return result
    handler = _HANDLERS.get(name)
    if handler is None:
        body.whole.refuse(f"a call of `{name}`, which has no body here", node.written)
    if wanted:
        body.whole.refuse(f"the result of `{name}`", node.written)
    handler(body, node)
    return NOTHING


def _abort(body: TranslatedBody, node: tree.Call) -> None:
    if not body.whole.scheme.drop_abort:
        _end(body, ERROR)


def _exit(body: TranslatedBody, node: tree.Call) -> None:
    arguments(body, node.arguments)
    _end(body, EXIT)


def _end(body: TranslatedBody, flag: str) -> None:
    body.whole.flags.add(flag)
    body.emit(syntax.Unit(syntax.Name(flag), syntax.Number(1)), frozenset((flag,)), leaves=True)


def _assert(body: TranslatedBody, node: tree.Call) -> None:
    test = bare(node.arguments[0])
    if isinstance(test, tree.Binary) and test.op == "!=" and _is_zero(bare(test.right)):
        test = bare(test.left)
    found = condition(body, test)
    body.whole.flags.add(ERROR)
    failure = syntax.Unit(syntax.Name(ERROR), syntax.Number(1))
    body.emit(syntax.If(found, syntax.Skip(), failure), frozenset((ERROR,)))


def _is_zero(node: tree.Expression) -> bool:
    return isinstance(node, tree.Number) and node.number == 0


def _assume(body: TranslatedBody, node: tree.Call) -> None:
    """A condition that has to hold here: a run in which it does not has no model."""
    body.emit(at_once(syntax.Evaluate(condition(body, bare(node.arguments[0])))))


_HANDLERS: dict[str, Callable[[TranslatedBody, tree.Call], None]] = {
    **dict.fromkeys(_ABORTS, _abort),
    **dict.fromkeys(_EXITS, _exit),
    "__pincer_assert": _assert,
    "__VERIFIER_assume": _assume,
    "printf": printed,
    "puts": written,
    "putchar": written,
    "scanf": scanned,
    "__isoc99_scanf": scanned,
}
