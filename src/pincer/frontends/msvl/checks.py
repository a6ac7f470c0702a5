"""The static rules: every name declared, every call complete, every target assignable, every type known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pincer.errors import UnsupportedError
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.lexer import TYPE_WORDS
from pincer.frontends.msvl.program import LIBRARY, RESULT, Program
from pincer.frontends.msvl.syntax import Node, Statement, StaticError
from pincer.frontends.source import SourceText

NULL = "NULL"


@dataclass
class Definitions:
    """What a text defines by name, found anywhere in it."""

    source: SourceText
    functions: dict[str, syntax.FunctionDefinition] = field(default_factory=dict)
    structs: dict[str, syntax.StructDefinition] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def mistake(self, at: int, message: str) -> StaticError:
        """A rule that is broken at a place, to be raised."""
        return self.source.error(at, message, StaticError)

    def parameters(self, name: str) -> tuple[syntax.Parameter, ...]:
        return self.functions[name].parameters

    def returns(self, name: str) -> bool:
        """Whether calls of the function have a value."""
        definition = self.functions[name]
        if definition.result is not None and (definition.result.words != ("void",) or definition.result.stars):
            return True
        return bool(definition.parameters) and parameter_name(definition.parameters[-1]) == RESULT


def parameter_name(parameter: syntax.Parameter) -> str | None:
    return None if parameter.declarator is None else parameter.declarator.name


def find_definitions(source: SourceText, statement: Statement) -> Definitions:
    found = Definitions(source)
    for node in syntax.descendants(statement, inside_definitions=True):
        match node:
            case syntax.FunctionDefinition(name):
                if name in found.functions:
                    raise found.mistake(node.at, f"the function `{name}` is already defined; choose another name")
                found.functions[name] = node
            case syntax.StructDefinition(tag):
                if tag in found.structs:
                    raise found.mistake(node.at, f"`{tag}` is already defined; choose another tag")
                found.structs[tag] = node
    return found


def check(found: Definitions, statement: Statement) -> None:
    """Raise the first breach of a static rule; warnings are left in `found`."""
    for struct in found.structs.values():
        _check_struct(found, struct)
    top = declared_names(statement)
    _check_region(found, statement, top, top)
    for function in found.functions.values():
        _check_parameters(found, function)
        own = function_names(function)
        _check_region(found, function.body, own | top, own | top)


def declared_names(statement: Statement) -> frozenset[str]:
    """The names declared in a statement, outside function and struct definitions."""
    names: set[str] = set()
    for node in syntax.descendants(statement):
        match node:
            case syntax.Declarator(name):
                names.add(name)
            case syntax.Local(locals_):
                names.update(locals_)
    return frozenset(names)


def known_names(program: Program) -> frozenset[str]:
    """All that a name in a condition about the program can mean."""
    inside = (function.own for function in program.functions.values())
    return declared_names(program.written).union(*inside, program.functions.keys(), {NULL})


def function_names(function: syntax.FunctionDefinition) -> frozenset[str]:
    """The formal parameters and the names declared in the body."""
    formals = {name for name in map(parameter_name, function.parameters) if name is not None}
    if function.result is not None:
        formals.add(RESULT)
    return declared_names(function.body) | formals


def _check_struct(found: Definitions, struct: syntax.StructDefinition) -> None:
    seen: set[str] = set()
    for declaration in struct.fields:
        _check_type(found, declaration.type)
        for declarator in declaration.declarators:
            if declarator.name in seen:
                raise found.mistake(declarator.at, f"`{struct.tag}` has two fields called `{declarator.name}`")
            if declarator.initial is not None:
                raise found.mistake(declarator.at, "a field of a struct has no initial value; assign it later")
            seen.add(declarator.name)
    if _contains(found.structs, struct.tag, struct.tag, set()):
        message = f"`{struct.tag}` contains itself; use a pointer, `{struct.tag} *next$`"
        raise found.mistake(struct.at, message)


def _contains(structs: Mapping[str, syntax.StructDefinition], outer: str, tag: str, seen: set[str]) -> bool:
    if outer in seen:
        return False
    seen.add(outer)
    for declaration in structs[outer].fields:
        if all(declarator.stars for declarator in declaration.declarators):
            continue
        for word in declaration.type.words:
            if word == tag or (word in structs and _contains(structs, word, tag, seen)):
                return True
    return False


def _check_parameters(found: Definitions, function: syntax.FunctionDefinition) -> None:
    names: set[str] = set()
    for i, parameter in enumerate(function.parameters):
        name = parameter_name(parameter)
        if name is None:
            raise found.mistake(parameter.at, "a parameter of a function needs a name")
        if name in names:
            raise found.mistake(parameter.at, f"`{function.name}` has two parameters called `{name}`")
        if name == RESULT and i + 1 < len(function.parameters):
            raise found.mistake(parameter.at, f"`{RESULT}` carries the result and must be the last parameter")
        names.add(name)
        if parameter.type is not None:
            _check_type(found, parameter.type)
    if function.result is not None:
        _check_type(found, function.result)


def _check_type(found: Definitions, type_: syntax.TypeName) -> None:
    for word in type_.words:
        if word not in TYPE_WORDS and word not in found.structs:
            raise found.mistake(type_.at, f"the type `{word}` is not defined; add `struct {word} {{ ... }}`")
        if word in found.structs and found.structs[word].union:
            message = f"`{word}` is a union: overlapping fields are not modelled"
            raise found.source.error(type_.at, message, UnsupportedError)


def _check_region(found: Definitions, body: Statement, visible: frozenset[str], framed: frozenset[str]) -> None:
    values = _calls_for_value(body)
    results = {id(n.arguments[-1]) for n in syntax.descendants(body) if isinstance(n, syntax.Call) and passes_result(n)}
    known = visible | found.functions.keys() | {NULL}
    signatures = {
        node.name for node in syntax.descendants(body) if isinstance(node, syntax.Declarator) and node.signature
    }
    for node in syntax.descendants(body):
        match node:
            case syntax.Name(text) if text not in known and id(node) not in results:
                raise found.mistake(node.at, f"`{text}` is not declared; add `int {text}` or check the spelling")
            case syntax.Call(function) if function in visible or function in signatures:
                message = f"`{function}` is a variable: calls through it are not modelled"
                raise found.source.error(node.at, message, UnsupportedError)
            case syntax.Call():
                _check_call(found, node, id(node) in values)
            case syntax.FrameStatement(names):
                _warn_frame(found, node, (name for name in names if name not in framed))
            case syntax.Immediate(target) | syntax.Unit(target):
                _check_target(found, target)
            case syntax.InputStatement(targets):
                for target in targets:
                    _check_target(found, target)
            case syntax.TypeName():
                _check_type(found, node)
            case syntax.HaltStatement(condition):
                _check_halt(found, condition)


def _warn_frame(found: Definitions, frame: syntax.FrameStatement, names: Iterable[str]) -> None:
    for name in names:
        position = found.source.position(frame.at)
        found.warnings.append(f"{position}: `{name}` is framed but never declared")


def _calls_for_value(body: Statement) -> set[int]:
    """The identities of calls whose value is used: all but those that are statements."""
    alone = {id(n.expression) for n in syntax.descendants(body) if isinstance(n, syntax.Evaluate)}
    return {id(n) for n in syntax.descendants(body) if isinstance(n, syntax.Call) and id(n) not in alone}


def _check_call(found: Definitions, call: syntax.Call, for_value: bool) -> None:
    given = len(call.arguments)
    if call.function in found.functions:
        parameters = found.parameters(call.function)
        with_result = bool(parameters) and parameter_name(parameters[-1]) == RESULT
        wanted = len(parameters) - with_result
        if given != wanted and not (given == wanted + 1 and passes_result(call)):
            message = f"`{call.function}` takes {wanted} argument{'s' * (wanted != 1)}, {given} given"
            raise found.mistake(call.at, message)
        if for_value and not found.returns(call.function):
            message = f"`{call.function}` has no result; give it a last parameter `int {RESULT}`"
            raise found.mistake(call.at, message)
    elif call.function in LIBRARY:
        signature = LIBRARY[call.function]
        given -= passes_result(call)
        if given < signature.least or (signature.most is not None and given > signature.most):
            message = f"`{call.function}` takes {signature.least} argument{'s' * (signature.least != 1)}, {given} given"
            raise found.mistake(call.at, message)
    else:
        message = f"the function `{call.function}` is not defined; define it with `function {call.function}(...) {{ }}`"
        raise found.mistake(call.at, message)


def passes_result(call: syntax.Call) -> bool:
    """Whether the last argument is a literal `RValue`, which stands for the result and carries nothing in."""
    return bool(call.arguments) and call.arguments[-1] == syntax.Name(RESULT)


def _check_target(found: Definitions, target: Node) -> None:
    if isinstance(target, syntax.Name) and target.text in found.functions:
        raise found.mistake(target.at, f"`{target.text}` is a function; assign to a variable")
    assignable = isinstance(target, syntax.Name | syntax.Index | syntax.MemberAccess) or (
        isinstance(target, syntax.Unary) and target.operator == "*"
    )
    if not assignable:
        message = "only variables, elements, fields and `*p` can be assigned"
        raise found.mistake(getattr(target, "at", 0), message)


def _check_halt(found: Definitions, condition: Node) -> None:
    for node in syntax.descendants(condition):
        if isinstance(node, syntax.Call) and not node.external and node.function in found.functions:
            message = f"`await` and `halt` test at every state: call `extern {node.function}(...)`, which takes none"
            raise found.mistake(node.at, message)
