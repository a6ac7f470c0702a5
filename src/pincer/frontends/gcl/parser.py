"""From text to syntax tree.

Parsing is LALR and builds the tree as it goes: no recursion, however deep the text is nested. The grammar
reads an expression as a flat sequence and `operators` gives it its precedence. After an operand the parser
always prefers to read on, which is what lets `forall`, `exists` and `else` extend as far right as possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

from lark import Lark, Token, Transformer, v_args
from lark.common import LexerConf
from lark.lexer import Lexer

from pincer.frontends.gcl import syntax
from pincer.frontends.gcl.operators import OperatorToken, build_tree
from pincer.frontends.gcl.syntax import Tree
from pincer.frontends.gcl.syntax_errors import alternatives, hint, unknown_character
from pincer.frontends.parsing import ExplainedGrammar, offset, scan, spellings
from pincer.frontends.source import SourceText

TOKEN = re.compile(
    r"""[ \t\r\n\f]*(?:
      (?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<INTEGER>[0-9]+)(?![A-Za-z0-9_])
    | (?://[^\n]*|/\*.*?\*/)
    | (?P<LOGICAL><=>|=>|&&|\|\|)
    | (?P<RELATION>!=|<=|>=|<|>)
    | (?P<SYMBOL>:=|->|\.\.|[-+*=!;:,(){}\[\]])
    | (?P<UNKNOWN>.)
    | \Z
    )""",
    re.VERBOSE | re.DOTALL,
)

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


def parse_program_tree(source: SourceText, text: str | None = None) -> syntax.ProgramTree:
    """The tree of a text, by default all of the source; offsets in it are those of the source."""
    return cast(syntax.ProgramTree, _grammar().parse(source, source.text if text is None else text, "program"))


def parse_formula_tree(source: SourceText, text: str | None = None) -> Tree:
    return cast(Tree, _grammar().parse(source, source.text if text is None else text, "expression"))


def parse_binders_tree(source: SourceText, text: str) -> tuple[syntax.Binder, ...]:
    """Binders, none in an empty text."""
    return cast(tuple[syntax.Binder, ...], _grammar().parse(source, text, "binders")) if text.strip() else ()


class GclLexer(Lexer):
    """Names and symbols that the grammar spells out become their own tokens; every such word is reserved."""

    def __init__(self, configuration: LexerConf) -> None:
        self._kinds = {"not": "RESERVED", **spellings(configuration.terminals)}

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        return scan(text, TOKEN, self._kinds, unknown_character)


@cache
def _grammar() -> ExplainedGrammar:
    parser = Lark(
        GRAMMAR,
        parser="lalr",
        lexer=GclLexer,
        start=["program", "expression", "binders"],
        transformer=_TreeBuilder(),
        maybe_placeholders=True,
    )
    return ExplainedGrammar(parser, hint, alternatives)


def _identifier(token: Token) -> syntax.Identifier:
    return syntax.Identifier(str(token), offset(token))


@v_args(inline=True)
class _TreeBuilder(Transformer[Token, Any]):
    """One method for each rule of the grammar."""

    def _listed(self, *items: Any) -> tuple[Any, ...]:
        return items

    declarators = commands = assignments = binders = _listed

    def program(self, header: syntax.Identifier | None, *declarations: syntax.Declaration) -> syntax.ProgramTree:
        return syntax.ProgramTree(header, declarations)

    def header(self, name: Token) -> syntax.Identifier:
        return _identifier(name)

    def constant(self, name: Token, value: Tree) -> syntax.Constant:
        return syntax.Constant(_identifier(name), value)

    def variables(
        self,
        keyword: Token,
        declarators: tuple[syntax.DeclaredName, ...],
        type_: syntax.TypeTree,
        initial: Tree | None,
    ) -> syntax.VariablesDeclaration:
        return syntax.VariablesDeclaration("control" if keyword == "control" else "var", declarators, type_, initial)

    def declarator(self, name: Token, range_: syntax.RangeTree | None) -> syntax.DeclaredName:
        return syntax.DeclaredName(_identifier(name), range_)

    def simple_type(self, name: Token) -> syntax.SimpleType:
        return syntax.SimpleType("bool" if name == "bool" else "int", offset(name))

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

    def command(self, name: Token, guard: Tree, assignments: tuple[syntax.Assignment, ...]) -> syntax.Command:
        return syntax.Command(_identifier(name), guard, assignments)

    def assignment(
        self, target: syntax.NameRead | syntax.ElementRead, value: Tree | syntax.NondetWord
    ) -> syntax.Assignment:
        return syntax.Assignment(target, value)

    def nondet(self, word: Token, range_: syntax.RangeTree | None) -> syntax.NondetWord:
        return syntax.NondetWord(range_, offset(word))

    def safety(self, name: Token, formula: Tree) -> syntax.Safety:
        return syntax.Safety(_identifier(name), formula)

    def expression(self, *items: Token | Tree) -> Tree:
        if len(items) == 1:
            return cast(Tree, items[0])
        return build_tree(
            [OperatorToken(str(item), offset(item)) if isinstance(item, Token) else item for item in items]
        )

    def name(self, name: Token) -> syntax.NameRead:
        return syntax.NameRead(str(name), offset(name))

    def element(self, name: Token, index: Tree) -> syntax.ElementRead:
        return syntax.ElementRead(str(name), index, offset(name))

    def integer(self, digits: Token) -> syntax.Numeral:
        return syntax.Numeral(str(digits), offset(digits))

    def boolean(self, word: Token) -> syntax.Boolean:
        return syntax.Boolean(word == "true", offset(word))

    def deadlock(self, word: Token) -> syntax.DeadlockWord:
        return syntax.DeadlockWord(offset(word))

    def if_then_else(self, word: Token, condition: Tree, then: Tree, otherwise: Tree) -> syntax.IfThenElse:
        return syntax.IfThenElse(condition, then, otherwise, offset(word))

    def quantified(self, word: Token, binders: tuple[syntax.Binder, ...], body: Tree) -> syntax.Quantified:
        return syntax.Quantified("forall" if word == "forall" else "exists", binders, body, offset(word))

    def binder(self, name: Token, range_: syntax.RangeTree) -> syntax.Binder:
        return syntax.Binder(_identifier(name), range_)

    def range(self, low: Tree, high: Tree) -> syntax.RangeTree:
        return syntax.RangeTree(low, high)
