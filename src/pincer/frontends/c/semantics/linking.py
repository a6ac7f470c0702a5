"""Linking: what has the same name and external linkage in several files is one object or one function.

Each file keeps the types it has declared. Where they only look different a warning says so; where objects of different
sizes are meant, or values that are passed in other ways, nothing is said about the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.semantics.agreement import Agreement, agreement
from pincer.frontends.c.semantics.context import Definition, TypedProgram
from pincer.frontends.c.semantics.mistakes import is_ours
from pincer.frontends.c.semantics.symbols import FileScope, FunctionName, Variable
from pincer.frontends.c.semantics.types import CType, text
from pincer.program.property import Concern


def link(program: TypedProgram, scopes: Sequence[FileScope]) -> None:
    """Join the variables of all files, and compare what files say about variables and functions of others."""
    declared: dict[str, list[Variable]] = {}
    for scope in scopes:
        for name, symbol in scope.names.items():
            if isinstance(symbol, Variable):
                declared.setdefault(name, []).append(symbol)
    for name, variables in declared.items():
        program.linked[name] = joined = _joined(program, variables)
        for variable in variables:
            if variable is not joined:
                _join(program, variable, joined)
        _check_not_both(program, joined)
    if len(scopes) > 1:
        _compare_functions(program, scopes)


def _joined(program: TypedProgram, variables: Iterable[Variable]) -> Variable:
    """The declaration that the object comes from: the one with an initial value, or else a tentative definition."""
    best, *others = variables
    for other in others:
        weak = any(has_attribute(one.node, "weak") for one in (best, other))
        if best.init is not None and other.init is not None and not weak:
            first = program.position(best.node)
            message = f"`{best.name}` is defined with an initial value in another file already, at {first}; keep one"
            raise program.error(message, other.node)
        if _rank(program, other) > _rank(program, best):
            best = other
    return best


def _rank(program: TypedProgram, variable: Variable) -> tuple[bool, bool, bool, bool]:
    strong = variable.defined and not has_attribute(variable.node, "weak")
    return strong, variable.init is not None, variable.defined, program.target.size(variable.type) is not None


def has_attribute(node: Any, name: str) -> bool:
    return any(attribute.name == name for attribute in getattr(node, "attributes", None) or ())


def is_inline(node: c_ast.FuncDef) -> bool:
    """Whether a body is for inlining only: another file may have the function itself."""
    return "inline" in (node.decl.funcspec or ()) and "extern" not in node.decl.storage


def check_same_inline(program: TypedProgram, one: Definition, other: Definition) -> None:
    """C does not say whether the body for inlining is taken or the other one: they have to be the same."""
    if (is_inline(one.node) or is_inline(other.node)) and not _same(one.node.body, other.node.body):
        at = program.position(one.node)
        program.unsupported.append(
            (f"the inline function `{one.name}` with another body at {at}", program.position(other.node))
        )


def _same(one: c_ast.Node, other: c_ast.Node) -> bool:
    """Whether two trees have the same text, wherever that is."""
    if type(one) is not type(other) or any(getattr(one, n) != getattr(other, n) for n in one.attr_names):
        return False
    ours, theirs = list(one), list(other)
    return len(ours) == len(theirs) and all(map(_same, ours, theirs))


def link_late(program: TypedProgram, variable: Variable) -> None:
    """An `extern` declaration in a function: joins what has its name in any file."""
    joined = program.linked.setdefault(variable.name, variable)
    if joined is not variable and variable.linked is None:
        _join(program, variable, joined)


def _join(program: TypedProgram, variable: Variable, joined: Variable) -> None:
    """Make a variable of a file that of the program. One that contradicts it stays apart: nothing is said anyway."""
    if _compare(program, variable.name, (variable.type, variable.node), (joined.type, joined.node)):
        variable.linked = joined


def _check_not_both(program: TypedProgram, variable: Variable) -> None:
    """No name is that of a variable and of a function."""
    function = program.definitions.get(variable.name)
    if function is not None and function.scope.names.get(variable.name) is not variable:
        at = program.position(function.node)
        raise program.error(f"`{variable.name}` is a variable here and a function at {at}; rename one", variable.node)


def _compare_functions(program: TypedProgram, scopes: Sequence[FileScope]) -> None:
    """Declarations agree with the definition in another file."""
    for scope in scopes:
        for name, symbol in scope.names.items():
            definition = program.definitions.get(name)
            first = scope.first_declared.get(name)
            if definition is None or definition.scope is scope or not isinstance(symbol, FunctionName):
                continue
            if first is None or name in program.library:
                continue
            if not _compare(program, name, (symbol.type, first), (definition.type, definition.node)):
                program.conflicting.add(name)


def _compare(program: TypedProgram, name: str, one: tuple[CType, Any], other: tuple[CType, Any]) -> bool:
    """Whether one file can use what another one defines: the first is what it is declared as, the other what it is."""
    if is_ours(one[1]) or is_ours(other[1]):
        return True
    found = agreement(one[0], other[0])
    thread_local = ["_Thread_local" in getattr(node, "storage", ()) for _, node in (one, other)]
    if thread_local[0] != thread_local[1]:
        found = Agreement.CONFLICTING
    if found is Agreement.SAME:
        return True
    (declared, node), (actual, place) = one, other
    what = f"`{name}` is `{text(actual)}` at {program.position(place)}, but declared as `{text(declared)}`"
    if text(actual) == text(declared) and thread_local[0] == thread_local[1]:
        what += " with other members"
    if found is Agreement.CONFLICTING:
        program.unsupported.append((f"files that contradict each other: {what}", program.position(node)))
    else:
        program.concerns.append(Concern(what, program.position(node)))
    return found is not Agreement.CONFLICTING
