"""The preprocessor proper: pcpp, told where headers are and how mistakes are reported."""

from __future__ import annotations

import copy
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pcpp.preprocessor import Action, OutputDirective, Preprocessor

from pincer.errors import PincerError, Position
from pincer.frontends.c.conditionals import NoExpression, evaluate
from pincer.frontends.c.predefined import has_feature
from pincer.frontends.c.source import read_source, spliced

_SEGMENT = 2_000
# Characters that must not come together when a macro's expansion meets its neighbours: they would be one operator.
_MERGING = frozenset(("++", "--", "&&", "||", "<<", ">>", "->", "//", "/*", "##", *(f"{c}=" for c in "<>=!+-*/%&|")))
# Names that the preprocessor knows although no macro of ours defines them.
_QUESTIONS = ("__has_include", "__has_attribute", "__has_builtin")
_KNOWN = frozenset(("__LINE__", "__FILE__", "__COUNTER__", "__INCLUDE_LEVEL__", *_QUESTIONS))
_TRIGRAPH = re.compile(r"\?\?(?=[=/'()!<>-])")


def expand(text: str, path: Path, defined: Mapping[str, str], include: Sequence[Path], headers: Path) -> str:
    """The text after preprocessing, with `#line` directives that name the files as the user does."""
    machine = _Preprocessor(path, include, headers)
    for name, replacement in defined.items():
        machine.define(f"{name} {replacement}")
    machine.parse(_without_trigraphs(text), str(path))
    output = io.StringIO()
    machine.write(output)
    return output.getvalue()


class _Preprocessor(Preprocessor):  # type: ignore[misc]
    """pcpp as a compiler would use it: unknown names are zero, every mistake is an error with its place."""

    def __init__(self, path: Path, include: Sequence[Path], headers: Path) -> None:
        super().__init__()
        self.undef("__PCPP__")
        for folder in (*include, headers):
            self.add_path(str(folder))
        # Our own headers are shown as <stdio.h>, the file itself as the user wrote it, others by their path.
        own = re.escape(f"{headers.resolve()}/") + "(.*)"
        main = re.escape(str(path.absolute())) + "$"
        shown: list[tuple[str, str]] = [(own, r"<\1>")]
        if not path.is_absolute():
            shown += [(main, str(path).replace("\\", r"\\")), (re.escape(f"{Path.cwd()}/") + "(.*)", r"\1")]
        self.rewrite_paths = shown
        self._include_line: tuple[str, int] = (str(path), 1)
        self._previous = ""
        self._held: Any = None

    def token(self) -> Any:
        """As inherited, with a space between tokens that the text would merge: `-N` with N as `-1` is not `--1`."""
        token, self._held = self._held or super().token(), None
        if token is None:
            return None
        if self._previous[-1:] + token.value[:1] in _MERGING:
            self._held, token = token, copy.copy(token)
            token.type, token.value = self.t_SPACE, " "
        self._previous = token.value
        return token

    def on_error(self, file: str, line: int, msg: str) -> None:
        raise PincerError(f"in a preprocessor directive or macro: {msg}", Position(file, line, 1))

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: Any, precedingtoks: Any) -> bool:
        self._include_line = (directive.source, directive.lineno)
        if directive.value in ("ifdef", "ifndef", "if", "elif", "include") and not toks:
            self.on_error(directive.source, directive.lineno, f"#{directive.value} has no operand")
        return True

    def on_directive_unknown(self, directive: Any, toks: Any, ifpassthru: Any, precedingtoks: Any) -> None:
        """Line markers and pragmas go through to the parser; #error is an error; the rest has no effect."""
        rest = "".join(token.value for token in toks)
        if directive.value == "error":
            raise PincerError(f"the file stops with #error {rest}", Position(directive.source, directive.lineno, 1))
        if directive.value in ("line", "pragma") or directive.value.isdigit():
            return
        if directive.value in ("ident", "sccs", "warning", "assert", "unassert"):
            raise OutputDirective(Action.IgnoreAndRemove)
        self.on_error(directive.source, directive.lineno, f"#{directive.value} is no directive")

    def on_include_not_found(self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str) -> None:
        position = Position(*self._include_line, 1)
        if is_malformed:
            raise PincerError(f'#include is followed by {includepath}; write <name> or "name"', position)
        raise PincerError(
            f"the header {includepath} is not found; name its folder with -I, or preprocess the file with `gcc -E`",
            position,
        )

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:
        file = Path(includepath)
        if not file.is_file():
            raise OSError
        return io.StringIO(_without_trigraphs(spliced(read_source(file)[0])))

    def on_unknown_macro_in_defined_expr(self, tok: Any) -> bool:
        return tok.value in _KNOWN

    def evalexpr(self, tokens: list[Any]) -> tuple[int, None]:
        """The value of an `#if` expression: `defined` and the like first, then macros, then what those made."""
        first = tokens[0]
        expanded = self._answered(self.expand_macros(self._answered(tokens)))
        try:
            return int(evaluate("".join(self._text(token) for token in expanded))), None
        except NoExpression as error:
            self.on_error(first.source, first.lineno, f"the condition of #if cannot be evaluated: {error}")
            raise

    def _text(self, token: Any) -> str:
        """A token's own text; the lexer cuts numbers like `1ULL` in two, so nothing may come between tokens."""
        return " " if token.type in self.t_WS else token.value

    def _answered(self, tokens: list[Any]) -> list[Any]:
        """Tokens with the questions among them (`defined X`, `__has_include(<x.h>)`) replaced by their answers."""
        found: list[Any] = []
        at = 0
        while at < len(tokens):
            token = copy.copy(tokens[at])
            at += 1
            if token.type == self.t_ID and token.value in ("defined", *_QUESTIONS):
                operand, at = self._operand(tokens, at, token)
                token.type, token.value = self.t_INTEGER, str(int(self._answer(token, operand)))
            found.append(token)
        return found

    def _operand(self, tokens: list[Any], at: int, question: Any) -> tuple[str, int]:
        """What follows a question, with or without parentheses, and where it ends."""
        values = [self._text(token) for token in tokens]
        while values[at : at + 1] == [" "]:
            at += 1
        if values[at : at + 1] == ["("] and ")" in values[at:]:
            end = values.index(")", at)
            return "".join(values[at + 1 : end]).strip(), end + 1
        if question.value != "defined" or at == len(tokens):
            self.on_error(question.source, question.lineno, f"`{question.value}` has no operand")
        return values[at], at + 1

    def _answer(self, question: Any, operand: str) -> bool:
        if question.value == "defined":
            if not operand.isidentifier():
                self.on_error(question.source, question.lineno, f"`defined` is followed by {operand}, which is no name")
            return operand in self.macros or operand in _KNOWN
        if question.value != "__has_include":
            known = has_feature(question.value, operand)
            if known is None:
                message = f"whether compilers know `{operand}` is not known here; preprocess the file with `gcc -E`"
                raise PincerError(message, Position(question.source, question.lineno, 1))
            return known
        beside = [] if operand.startswith("<") else [Path(question.source).parent]
        return any((folder / operand[1:-1]).is_file() for folder in (*beside, *map(Path, self.path)))

    def collect_args(self, tokenlist: list[Any], ignore_errors: bool = False) -> tuple[int, list[Any], list[int]]:
        """As inherited, but arguments without an end are an error: pcpp would leave the rest of the text as it is."""
        result = super().collect_args(tokenlist, ignore_errors)
        if result[0] == 0:
            self.on_error(tokenlist[0].source, tokenlist[0].lineno, "the arguments of a macro have no closing `)`")
        return result  # type: ignore[no-any-return]

    def expand_macros(self, tokens: list[Any], expanding_from: Sequence[str] = ()) -> list[Any]:
        """As inherited, on pieces of bounded length: each macro call copies the tokens behind it."""
        if len(tokens) <= _SEGMENT:
            return super().expand_macros(tokens, list(expanding_from))  # type: ignore[no-any-return]
        expanded: list[Any] = []
        for piece in self._pieces(tokens):
            expanded.extend(super().expand_macros(piece, list(expanding_from)))
        return expanded

    def _pieces(self, tokens: list[Any]) -> list[list[Any]]:
        """Cut where no macro call can be open: after a semicolon outside of parentheses."""
        pieces, start, depth = [], 0, 0
        for number, token in enumerate(tokens):
            value = token.value
            if value == "(":
                depth += 1
            elif value == ")":
                depth -= 1
            elif value == ";" and depth <= 0 and number - start >= _SEGMENT // 4:
                pieces.append(tokens[start : number + 1])
                start, depth = number + 1, 0
        pieces.append(tokens[start:])
        return pieces


def _without_trigraphs(text: str) -> str:
    """pcpp replaces trigraphs, which compilers leave alone by default: `?\\?` means the same in a literal."""
    return _TRIGRAPH.sub(r"?\\?", text) if "??" in text else text
