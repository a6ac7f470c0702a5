"""Calls of the program's own functions, and the functions that the translation knows by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pycparser import c_ast

from pincer.frontends.c.semantics.symbols import FunctionName
from pincer.frontends.c.semantics.types import VOID, CType, Function, Void
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import Operand
from pincer.frontends.msvl.from_c.context import Body
from pincer.frontends.msvl.from_c.expressions import condition, fixed, handles, kept, value
from pincer.frontends.msvl.from_c.input_output import NONDET, nondet, printed, scanned, written
from pincer.frontends.msvl.from_c.steps import ERROR, EXIT, NO_FLAGS, at_once
from pincer.frontends.msvl.program import RESULT

_ABORTS = frozenset(("abort", "__VERIFIER_error", "reach_error", "__assert_fail"))
_EXITS = frozenset(("exit", "_Exit", "_exit", "quick_exit"))
_NOTHING = Operand(syntax.Number(0), VOID)


def ending_flags(name: str) -> frozenset[str]:
    """The flags that a call of a function without a body sets, because it ends the program."""
    if name in _ABORTS or name == "__pincer_assert":
        return frozenset((ERROR,))
    return frozenset((EXIT,)) if name in _EXITS else NO_FLAGS


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of one of the program's functions, ready to be written; its arguments have been evaluated."""

    call: syntax.Call
    result: CType
    exits: frozenset[str]


@handles(c_ast.FuncCall)
def _value(body: Body, node: c_ast.FuncCall) -> Operand:
    return called(body, node, wanted=True)


def called(body: Body, node: c_ast.FuncCall, wanted: bool) -> Operand:
    """Make the call; its result, when wanted, is in a temporary."""
    if not _is_own(body, node):
        return _known_by_name(body, node, wanted)
    made = _prepared(body, node)
    if isinstance(made.result, Void) or not wanted:
        body.emit(syntax.Evaluate(made.call), made.exits)
        return _NOTHING
    result = body.unset(made.result)
    body.emit(syntax.Unit(result.expression, made.call), made.exits)
    return result


def assigned_call(body: Body, node: c_ast.Node, target: Operand) -> bool:
    """`x = f(a)` without a temporary, where the result needs no conversion; whether this was such a case."""
    if not isinstance(node, c_ast.FuncCall) or not fixed(target.expression):
        return False
    if _is_own(body, node):
        if _function(body, node).result != target.type:
            return False
        made = _prepared(body, node)
        body.emit(syntax.Unit(target.expression, made.call), made.exits)
        return True
    name = node.name.name if isinstance(node.name, c_ast.ID) else ""
    return name.startswith(NONDET) and nondet(body, node, target) is not None


def _is_own(body: Body, node: c_ast.FuncCall) -> bool:
    if not isinstance(node.name, c_ast.ID):
        body.whole.refuse("a call through a pointer", node)
    symbol = body.context.scope.find(node.name.name)
    if symbol is not None and not isinstance(symbol, FunctionName):
        body.whole.refuse("a call through a pointer", node)
    return _target_name(body, node) in body.whole.functions


def _target_name(body: Body, node: c_ast.FuncCall) -> str:
    symbol = body.context.scope.find(node.name.name)
    return symbol.name if isinstance(symbol, FunctionName) else str(node.name.name)


def _function(body: Body, node: c_ast.FuncCall) -> Function:
    return body.whole.program.definitions[_target_name(body, node)].type


def _prepared(body: Body, node: c_ast.FuncCall) -> _Call:
    name, function = _target_name(body, node), _function(body, node)
    given = list(node.args.exprs) if node.args is not None else []
    if len(given) != len(function.parameters):
        body.whole.refuse(f"a call of `{name}` with {len(given)} instead of {len(function.parameters)} arguments", node)
    values = arguments(body, given)
    passed = []
    for argument, found, kind in zip(given, values, function.parameters, strict=True):
        with body.whole.exactly(argument):
            passed.append(body.arithmetic.converted(found, kind).expression)
    if not isinstance(function.result, Void):
        passed.append(syntax.Name(RESULT))
    call = syntax.Call(body.whole.functions[name], tuple(passed))
    return _Call(call, function.result, body.whole.ending.get(name, NO_FLAGS))


def arguments(body: Body, nodes: list[c_ast.Node]) -> list[Operand]:
    """The values of arguments from left to right; what a later one might change is kept."""
    found: list[tuple[Operand, int]] = []
    for node in nodes:
        operand = value(body, node)
        found.append((operand, len(body.steps)))
    end = len(body.steps)
    values: list[Operand] = []
    for operand, mark in reversed(found):
        values.append(operand if mark == end else kept(body, operand, mark))
    return values[::-1]


def _known_by_name(body: Body, node: c_ast.FuncCall, wanted: bool) -> Operand:
    name = _target_name(body, node)
    if name.startswith(NONDET):
        result = nondet(body, node, None)
        assert result is not None
        return result
    handler = _HANDLERS.get(name)
    if handler is None:
        body.whole.refuse(f"a call of `{name}`, which has no body here", node)
    if wanted:
        body.whole.refuse(f"the result of `{name}`", node)
    handler(body, node)
    return _NOTHING


def _abort(body: Body, node: c_ast.FuncCall) -> None:
    if not body.whole.scheme.drop_abort:
        _end(body, ERROR)


def _exit(body: Body, node: c_ast.FuncCall) -> None:
    arguments(body, list(node.args.exprs) if node.args is not None else [])
    _end(body, EXIT)


def _end(body: Body, flag: str) -> None:
    body.whole.flags.add(flag)
    body.emit(syntax.Unit(syntax.Name(flag), syntax.Number(1)), frozenset((flag,)), leaves=True)


def _assert(body: Body, node: c_ast.FuncCall) -> None:
    test = node.args.exprs[0]
    if isinstance(test, c_ast.BinaryOp) and test.op == "!=" and getattr(test.right, "value", "") == "0":
        test = test.left
    found = condition(body, test)
    body.whole.flags.add(ERROR)
    failure = syntax.Unit(syntax.Name(ERROR), syntax.Number(1))
    body.emit(syntax.If(found, syntax.Skip(), failure), frozenset((ERROR,)))


def _assume(body: Body, node: c_ast.FuncCall) -> None:
    """A condition that has to hold here: a run in which it does not has no model."""
    body.emit(at_once(syntax.Evaluate(condition(body, node.args.exprs[0]))))


_HANDLERS: dict[str, Callable[[Body, c_ast.FuncCall], None]] = {
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
