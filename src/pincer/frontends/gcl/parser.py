"""From text to syntax tree.

Parsing is LALR and builds the tree as it goes: no recursion, however deep the text is nested. The grammar
reads an expression as a flat sequence and `operators` gives it its precedence. After an operand the parser
always prefers to read on, which is what lets `forall`, `exists` and `else` extend as far right as possible.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from pincer.errors import PincerError
from pincer.frontends.gcl import syntax
from pincer.frontends.gcl.lexer import GclLexer
from pincer.frontends.gcl.operators import OperatorToken, build_tree
from pincer.frontends.gcl.source import MisreadError, Source
from pincer.frontends.gcl.syntax import Tree
from pincer.frontends.gcl.syntax_errors import unexpected_token

GRAMMAR = r"""
program: [header] declaration*
header: "program" NAME ";"

?declaration: "const" NAME "=" expression ";"                             -> constant
            | (VAR | CONTROL) declarators ":" type ["=" expression] ";"   -> variables
            | "init" expression ";"                                       -> init
            | "process" NAME ["[" binders "]"] "{" commands "}"           -> process
            | "trans" command
            | "safety" NAME ":" expression ";"                            -> safety

declarators: declarator ("," declarator)*
declarator: NAME ["[" range "]"]
?type: (INT | BOOL)                -> simple_type
     | "{" NAME ("," NAME)* "}"    -> enumeration
     | range

commands: command*
command: NAME ":" expression "->" assignments ";"
assignments: assignment ("," assignment)*
assignment: target ":=" (expression | nondet)
?target: NAME                      -> name
       | NAME "[" expression "]"   -> element
nondet: NONDET ["(" range ")"]

expression: _signs? operand ((LOGICAL | EQUAL | RELATION | PLUS | MINUS | TIMES | DIV | MOD) _signs? operand)*
_signs: (NOT | MINUS)+
?operand: "(" expression ")"
        | NAME                                                -> name
        | NAME "[" expression "]"                             -> element
        | INTEGER                                             -> integer
        | (TRUE | FALSE)                                      -> boolean
        | DEADLOCK                                            -> deadlock
        | IF expression "then" expression "else" expression   -> if_then_else
        | (FORALL | EXISTS) binders ":" expression            -> quantified

binders: binder ("," binder)*
binder: NAME "in" range
range: bound ".." bound
bound: _minuses? operand ((PLUS | MINUS | TIMES | DIV | MOD) _minuses? operand)*   -> expression
_minuses: MINUS+

VAR: "var"
CONTROL: "control"
INT: "int"
BOOL: "bool"
NONDET: "nondet"
TRUE: "true"
FALSE: "false"
DEADLOCK: "deadlock"
IF: "if"
FORALL: "forall"
EXISTS: "exists"
DIV: "div"
MOD: "mod"
EQUAL: "="
PLUS: "+"
MINUS: "-"
TIMES: "*"
NOT: "!"
ARROW: "->"
ASSIGN: ":="
DOTS: ".."
%declare NAME INTEGER LOGICAL RELATION
"""


def parse_program_tree(source: Source) -> syntax.ProgramTree:
    return cast(syntax.ProgramTree, _parse(source, "program"))


def parse_formula_tree(source: Source) -> Tree:
    return cast(Tree, _parse(source, "expression"))


def _parse(source: Source, start: str) -> object:
    parser = _parser()
    try:
        return parser.parse(source.text, start=start)
    except UnexpectedToken as error:
        raise _syntax_error(parser, source, error) from None
    except MisreadError as error:
        raise source.error(error.at, error.message) from None


def _syntax_error(parser: Lark, source: Source, error: UnexpectedToken) -> PincerError:
    token = error.token
    at = len(source.text.rstrip()) if token.type == "$END" else _offset(token)
    spelling = {
        terminal.name: terminal.pattern.value
        for terminal in parser.terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    message = unexpected_token(source.text, at, token.type, str(token), error.accepts, spelling)
    return source.error(at, message)


@cache
def _parser() -> Lark:
    return Lark(
        GRAMMAR,
        parser="lalr",
        lexer=GclLexer,
        start=["program", "expression"],
        transformer=_TreeBuilder(),
        maybe_placeholders=True,
    )


def _offset(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


def _identifier(token: Token) -> syntax.Identifier:
    return syntax.Identifier(str(token), _offset(token))


@v_args(inline=True)
class _TreeBuilder(Transformer[Token, Any]):
    """One method for each rule of the grammar."""

    def program(self, header: syntax.Identifier | None, *declarations: syntax.Declaration) -> syntax.ProgramTree:
        return syntax.ProgramTree(header, declarations)

    def header(self, name: Token) -> syntax.Identifier:
        return _identifier(name)

    def constant(self, name: Token, value: Tree) -> syntax.Constant:
        return syntax.Constant(_identifier(name), value)

    def variables(
        self,
        keyword: Token,
        declarators: tuple[syntax.Declarator, ...],
        type_: syntax.TypeTree,
        initial: Tree | None,
    ) -> syntax.Variables:
        return syntax.Variables("control" if keyword == "control" else "var", declarators, type_, initial)

    def declarators(self, *declarators: syntax.Declarator) -> tuple[syntax.Declarator, ...]:
        return declarators

    def declarator(self, name: Token, range_: syntax.Range | None) -> syntax.Declarator:
        return syntax.Declarator(_identifier(name), range_)

    def simple_type(self, name: Token) -> syntax.SimpleType:
        return syntax.SimpleType("bool" if name == "bool" else "int", _offset(name))

    def enumeration(self, *names: Token) -> syntax.Enumeration:
        return syntax.Enumeration(tuple(map(_identifier, names)))

    def init(self, formula: Tree) -> syntax.Init:
        return syntax.Init(formula)

    def process(
        self,
        name: Token,
        binders: tuple[syntax.Binder, ...] | None,
        commands: tuple[syntax.Command, ...],
    ) -> syntax.Process:
        return syntax.Process(_identifier(name), binders or (), commands)

    def commands(self, *commands: syntax.Command) -> tuple[syntax.Command, ...]:
        return commands

    def command(self, name: Token, guard: Tree, assignments: tuple[syntax.Assignment, ...]) -> syntax.Command:
        return syntax.Command(_identifier(name), guard, assignments)

    def assignments(self, *assignments: syntax.Assignment) -> tuple[syntax.Assignment, ...]:
        return assignments

    def assignment(self, target: syntax.Name | syntax.Element, value: Tree | syntax.Nondet) -> syntax.Assignment:
        return syntax.Assignment(target, value)

    def nondet(self, word: Token, range_: syntax.Range | None) -> syntax.Nondet:
        return syntax.Nondet(range_, _offset(word))

    def safety(self, name: Token, formula: Tree) -> syntax.Safety:
        return syntax.Safety(_identifier(name), formula)

    def expression(self, *items: Token | Tree) -> Tree:
        if len(items) == 1:
            return cast(Tree, items[0])
        return build_tree(
            [OperatorToken(str(item), _offset(item)) if isinstance(item, Token) else item for item in items]
        )

    def name(self, name: Token) -> syntax.Name:
        return syntax.Name(str(name), _offset(name))

    def element(self, name: Token, index: Tree) -> syntax.Element:
        return syntax.Element(str(name), index, _offset(name))

    def integer(self, digits: Token) -> syntax.Integer:
        return syntax.Integer(str(digits), _offset(digits))

    def boolean(self, word: Token) -> syntax.Boolean:
        return syntax.Boolean(word == "true", _offset(word))

    def deadlock(self, word: Token) -> syntax.DeadlockWord:
        return syntax.DeadlockWord(_offset(word))

    def if_then_else(self, word: Token, condition: Tree, then: Tree, otherwise: Tree) -> syntax.IfThenElse:
        return syntax.IfThenElse(condition, then, otherwise, _offset(word))

    def quantified(self, word: Token, binders: tuple[syntax.Binder, ...], body: Tree) -> syntax.Quantified:
        return syntax.Quantified("forall" if word == "forall" else "exists", binders, body, _offset(word))

    def binders(self, *binders: syntax.Binder) -> tuple[syntax.Binder, ...]:
        return binders

    def binder(self, name: Token, range_: syntax.Range) -> syntax.Binder:
        return syntax.Binder(_identifier(name), range_)

    def range(self, low: Tree, high: Tree) -> syntax.Range:
        return syntax.Range(low, high)
