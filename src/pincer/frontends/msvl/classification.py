"""From lark's tree to statements and expressions.

The grammar lets either stand between parentheses; here every node is told to be one or the other, and a statement
where a value is needed, or a list before no `prj`, is a syntax error.
"""

from __future__ import annotations

from collections.abc import Callable

from lark import Token, Tree

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression, Statement, TypeName
from pincer.frontends.msvl.text import character_value, number_value, text_value
from pincer.frontends.source import MisreadError

_Piece = Tree[Token] | Token | None


def program_statement(tree: Tree[Token]) -> Statement | None:
    """The statement of a whole file, None when there is nothing in it."""
    body = tree.children[0]
    return None if body is None else statement(_tree(body))


def condition_expression(tree: Tree[Token]) -> Expression:
    return expression(_tree(tree.children[0]))


def statement(tree: Tree[Token]) -> Statement:
    build = _STATEMENTS.get(tree.data)
    if build is not None:
        return build(tree)
    if tree.data == "paren":
        if len(tree.children) > 1:
            raise MisreadError(_at(_tree(tree.children[1])), "a list of statements stands only before `prj`")
        return statement(_tree(tree.children[0]))
    if tree.data == "block":
        body = tree.children[0]
        return syntax.Empty(_at(tree)) if body is None else statement(_tree(body))
    return syntax.Evaluate(expression(tree), _at(tree))


def expression(tree: Tree[Token]) -> Expression:
    build = _EXPRESSIONS.get(tree.data)
    if build is not None:
        return build(tree)
    if tree.data in ("paren", "block") and len(tree.children) == 1 and tree.children[0] is not None:
        return expression(_tree(tree.children[0]))
    if tree.data == "if_":
        condition, then, otherwise = tree.children
        if otherwise is None:
            raise MisreadError(_at(tree), "a conditional value needs an `else`")
        chosen, rest = expression(_tree(then)), expression(_tree(otherwise))
        return syntax.Choice(expression(_tree(condition)), chosen, rest, _at(tree))
    raise MisreadError(_at(tree), "a statement stands where a value is needed")


def _at(tree: Tree[Token]) -> int:
    return getattr(tree.meta, "start_pos", 0)


def _start(token: _Piece) -> int:
    assert isinstance(token, Token)
    return token.start_pos or 0


def _tree(piece: _Piece) -> Tree[Token]:
    assert isinstance(piece, Tree)
    return piece


def _statements(tree: Tree[Token]) -> tuple[Statement, ...]:
    return tuple(statement(_tree(child)) for child in tree.children)


def _expressions(piece: _Piece) -> tuple[Expression, ...]:
    return () if piece is None else tuple(expression(_tree(child)) for child in _tree(piece).children)


def _names(piece: _Piece) -> tuple[str, ...]:
    return tuple(str(name) for name in _tree(piece).children)


def _type(typespec: _Piece, stars: _Piece = None) -> TypeName:
    tree = _tree(typespec)
    words = tuple(str(word) for word in tree.children if not _is_tag_keyword(word))
    return TypeName(words, 0 if stars is None else len(_tree(stars).children), _at(tree))


def _is_tag_keyword(word: _Piece) -> bool:
    return isinstance(word, Token) and word.type in ("STRUCT", "UNION")


def _dimensions(pieces: list[_Piece]) -> tuple[Expression | None, ...]:
    found: list[Expression | None] = []
    for piece in pieces:
        inner = _tree(piece).children
        found.extend(None if child is None else expression(_tree(child)) for child in inner)
    return tuple(found)


def _declarator(item: Tree[Token]) -> syntax.Declarator:
    stars = len(_tree(item.children[0]).children)
    if item.data == "function_pointer":
        _, _, name, parameters = item.children
        return syntax.Declarator(str(name), stars, signature=_parameters(parameters), at=_start(name))
    _, name, *dimensions, initial = item.children
    value = None if initial is None else expression(_tree(initial))
    unit = item.data == "unit_declarator"
    return syntax.Declarator(str(name), stars, _dimensions(list(dimensions)), value, unit, at=_start(name))


def _declaration(tree: Tree[Token]) -> syntax.Declaration:
    type_, *items = tree.children
    return syntax.Declaration(_type(type_), tuple(_declarator(_tree(item)) for item in items), _at(tree))


def _parameters(piece: _Piece) -> tuple[syntax.Parameter, ...]:
    return () if piece is None else tuple(_parameter(_tree(child)) for child in _tree(piece).children)


def _parameter(tree: Tree[Token]) -> syntax.Parameter:
    at = _at(tree)
    if tree.data == "bare_function_parameter":
        _, name, inner = tree.children
        return syntax.Parameter(None, syntax.Declarator(str(name), signature=_parameters(inner), at=at), at)
    type_, stars, *rest = tree.children
    if tree.data == "function_parameter":
        _, name, inner = rest
        declarator = syntax.Declarator(str(name), signature=_parameters(inner), at=at)
        return syntax.Parameter(_type(type_, stars), declarator, at)
    name, *dimensions = rest
    if name is None:
        return syntax.Parameter(_type(type_, stars), None, at)
    count = len(_tree(stars).children)
    dims = _dimensions([piece for piece in dimensions if piece is not None])
    return syntax.Parameter(_type(type_), syntax.Declarator(str(name), count, dims, at=_start(name)), at)


def _function(tree: Tree[Token]) -> syntax.FunctionDefinition:
    type_, stars, name, parameters, body = tree.children
    result = None if type_ is None else _type(type_, stars)
    return syntax.FunctionDefinition(str(name), result, _parameters(parameters), statement(_tree(body)), _start(name))


def _struct(tree: Tree[Token]) -> syntax.StructDefinition:
    keyword, tag, fields = tree.children
    declarations = tuple(_declaration(_tree(field)) for field in _tree(fields).children)
    return syntax.StructDefinition(str(tag), declarations, keyword == "union", _start(tag))


def _if(tree: Tree[Token]) -> syntax.If:
    condition, then, otherwise = tree.children
    rest = None if otherwise is None else statement(_tree(otherwise))
    return syntax.If(expression(_tree(condition)), statement(_tree(then)), rest, _at(tree))


def _projection(tree: Tree[Token]) -> syntax.Projection:
    parts, whole = (_tree(child) for child in tree.children)
    return syntax.Projection(_statements(parts), statement(whole), _at(tree))


def _expression_of(tree: Tree[Token], i: int) -> Expression:
    return expression(_tree(tree.children[i]))


def _statement_of(tree: Tree[Token], i: int) -> Statement:
    return statement(_tree(tree.children[i]))


_STATEMENTS: dict[str, Callable[[Tree[Token]], Statement]] = {
    "chop": lambda t: syntax.Chop(_statements(t), _at(t)),
    "parallel": lambda t: syntax.Parallel(_statements(t), _at(t)),
    "alternatives": lambda t: syntax.Or(_statements(t), _at(t)),
    "conjunction": lambda t: syntax.And(_statements(t), _at(t)),
    "if_": _if,
    "while_": lambda t: syntax.While(_expression_of(t, 0), _statement_of(t, 1), _at(t)),
    "repeat": lambda t: syntax.Repeat(_statement_of(t, 0), _expression_of(t, 1), _at(t)),
    "function": _function,
    "struct": _struct,
    "decl": _declaration,
    "frame": lambda t: syntax.FrameStatement(_names(t.children[0]), _at(t)),
    "local": lambda t: syntax.Local(_names(t.children[0]), _statement_of(t, 1), _at(t)),
    "empty": lambda t: syntax.Empty(_at(t)),
    "skip": lambda t: syntax.Skip(_at(t)),
    "more": lambda t: syntax.More(_at(t)),
    "length": lambda t: syntax.LengthStatement(_expression_of(t, 0), _at(t)),
    "halt": lambda t: syntax.HaltStatement(_expression_of(t, 0), False, _at(t)),
    "await_": lambda t: syntax.HaltStatement(_expression_of(t, 0), True, _at(t)),
    "next": lambda t: syntax.Next(_statement_of(t, 0), _at(t)),
    "always": lambda t: syntax.Always(_statement_of(t, 0), _at(t)),
    "keep": lambda t: syntax.Keep(_statement_of(t, 0), _at(t)),
    "fin": lambda t: syntax.Fin(_statement_of(t, 0), _at(t)),
    "output": lambda t: syntax.OutputStatement(_expressions(t.children[0]), _at(t)),
    "input": lambda t: syntax.InputStatement(_expressions(t.children[0]), _at(t)),
    "projection": _projection,
    "immediate": lambda t: syntax.Immediate(_expression_of(t, 0), _expression_of(t, 1), _at(t)),
    "unit": lambda t: syntax.Unit(_expression_of(t, 0), _expression_of(t, 1), _at(t)),
    "return_": lambda t: syntax.Return(_expression_of(t, 1), _at(t)),
}


def _binary(tree: Tree[Token]) -> syntax.Binary:
    left, operator, right = tree.children
    spelled = "=" if operator == "==" else str(operator)
    return syntax.Binary(spelled, expression(_tree(left)), expression(_tree(right)), _start(operator))


def _unary(tree: Tree[Token]) -> syntax.Unary:
    return syntax.Unary(str(tree.children[0]), _expression_of(tree, 1), _at(tree))


def _index(tree: Tree[Token]) -> syntax.Index:
    base, *indices = tree.children
    return syntax.Index(expression(_tree(base)), tuple(expression(_tree(i)) for i in indices), _at(tree))


def _member(arrow: bool) -> Callable[[Tree[Token]], syntax.MemberAccess]:
    return lambda t: syntax.MemberAccess(_expression_of(t, 0), str(t.children[1]), arrow, _at(t))


def _external(tree: Tree[Token]) -> syntax.Call:
    call = _expression_of(tree, 0)
    if not isinstance(call, syntax.Call):
        raise MisreadError(_at(tree), "`extern` stands before a call")
    return syntax.Call(call.function, call.arguments, True, _at(tree))


def _choice(tree: Tree[Token]) -> syntax.Choice:
    return syntax.Choice(_expression_of(tree, 0), _expression_of(tree, 1), _expression_of(tree, 2), _at(tree))


def _list(tree: Tree[Token]) -> syntax.ListValue:
    return syntax.ListValue(tuple(expression(_tree(c)) for c in tree.children if c is not None), _at(tree))


def _cast(tree: Tree[Token]) -> syntax.Cast:
    type_, stars, operand = tree.children
    return syntax.Cast(_type(type_, stars), expression(_tree(operand)), _at(tree))


def _number(tree: Tree[Token]) -> syntax.Number:
    return syntax.Number(number_value(str(tree.children[0])), _at(tree))


def _character(tree: Tree[Token]) -> syntax.Character:
    return syntax.Character(character_value(str(tree.children[0]), _at(tree)), _at(tree))


_EXPRESSIONS: dict[str, Callable[[Tree[Token]], Expression]] = {
    "binary": _binary,
    "unary": _unary,
    "index": _index,
    "member": _member(False),
    "arrow": _member(True),
    "call": lambda t: syntax.Call(str(t.children[0]), _expressions(t.children[1]), at=_at(t)),
    "external": _external,
    "cast": _cast,
    "size_of_type": lambda t: syntax.SizeOfType(_type(*t.children), at=_at(t)),
    "size_of": lambda t: syntax.SizeOf(_expression_of(t, 0), _at(t)),
    "choice": _choice,
    "list": _list,
    "name": lambda t: syntax.Name(str(t.children[0]), _at(t)),
    "number": _number,
    "text": lambda t: syntax.Text("".join(text_value(str(s)) for s in t.children), _at(t)),
    "character": _character,
    "true_": lambda t: syntax.Truth(True, _at(t)),
    "false_": lambda t: syntax.Truth(False, _at(t)),
}
