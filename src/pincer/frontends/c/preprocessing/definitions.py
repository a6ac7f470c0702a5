"""What a macro is, and reading `#define` (C17 6.10.3, with the extensions of GNU)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from pincer.frontends.c.preprocessing.tokens import Token, is_hash, is_paste, tokens

Builtin = Literal["__LINE__", "__FILE__", "__COUNTER__", "__INCLUDE_LEVEL__", "__BASE_FILE__"]
BUILTINS: tuple[Builtin, ...] = ("__LINE__", "__FILE__", "__COUNTER__", "__INCLUDE_LEVEL__", "__BASE_FILE__")


class BadMacro(Exception):
    """What is wrong with a definition or a use of a macro, as a sentence."""


class ReplacementPart(Struct, frozen=True):
    """One place of a replacement list: a token, or the argument of a parameter, or what `__VA_OPT__` encloses.

    `token.pastes` says that ## follows; `after_paste` that it precedes.
    """

    token: Token
    parameter: int | None = None
    optional: tuple[ReplacementPart, ...] | None = None
    stringized: bool = False
    after_paste: bool = False


class Macro(Struct, frozen=True):
    """A macro; `parameters` is None if it is used without arguments. The last parameter of a variadic takes the rest.

    `plain` has the tokens of a replacement list in which there is nothing to be put in.
    """

    name: str
    parameters: tuple[str, ...] | None = None
    variadic: bool = False
    replacement: tuple[ReplacementPart, ...] = ()
    plain: tuple[Token, ...] | None = None
    builtin: Builtin | None = None


def read_definition(line: Sequence[Token]) -> Macro:
    """The macro that the tokens behind `#define` define. Raises BadMacro."""
    name = macro_name(line, "#define")
    rest = list(line[1:])
    if not rest or rest[0].space or rest[0].text != "(":
        return _macro(name, None, False, rest)
    parameters, variadic, end = _parameters(rest)
    return _macro(name, parameters, variadic, rest[end:])


def macro_name(line: Sequence[Token], directive: str) -> str:
    """The name that follows a directive, which must be one that may be a macro's."""
    if not line:
        raise BadMacro(f"{directive} has no operand; write the name of a macro behind it")
    if line[0].kind != "name" or line[0].text == "defined":
        raise BadMacro(f"{directive} is followed by `{line[0].text}`, which cannot be the name of a macro")
    return line[0].text


def define(head: str, replacement: str) -> Macro:
    """A macro from its name, with parameters if any, and its replacement."""
    return read_definition([*tokens(head), *tokens(" " + replacement)])


def _parameters(line: list[Token]) -> tuple[tuple[str, ...], bool, int]:
    """The parameters from the parenthesis that opens `line`, whether the last is variadic, and where they end."""
    names: list[str] = []
    at = 1
    if len(line) > 1 and line[1].text == ")":
        return (), False, 2
    while at < len(line):
        token = line[at]
        variadic = token.text == "..."
        if not variadic and token.kind != "name":
            break
        name = "__VA_ARGS__" if variadic else token.text
        if name in names:
            raise BadMacro(f"the parameter `{name}` of a macro is there twice; rename one of them")
        names.append(name)
        at += 1
        if not variadic and at < len(line) and line[at].text == "...":
            variadic = True
            at += 1
        closing = line[at].text if at < len(line) else ""
        if closing == ")":
            return tuple(names), variadic, at + 1
        if closing != "," or variadic:
            break
        at += 1
    raise BadMacro("the parameters of a macro are names with commas between them and `)` at the end")


def _macro(name: str, parameters: tuple[str, ...] | None, variadic: bool, line: list[Token]) -> Macro:
    parts = _parts(line, parameters, variadic)
    simple = all(part.parameter is None and part.optional is None for part in parts)
    plain = tuple(part.token for part in parts) if simple else None
    return Macro(name, parameters, variadic, parts, plain)


def _parts(line: list[Token], parameters: tuple[str, ...] | None, variadic: bool) -> tuple[ReplacementPart, ...]:
    """The replacement list: operators # and ## become properties of what they apply to."""
    parts: list[ReplacementPart] = []
    at = 0
    pasting = False
    while at < len(line):
        token = line[at]._replace(line=0, space=line[at].space and bool(parts))
        at += 1
        if is_paste(token):
            if not parts or at == len(line):
                raise BadMacro("`##` stands at an end of a macro's replacement; it needs something on both sides")
            last = parts[-1]
            parts[-1] = ReplacementPart(
                last.token._replace(pastes=True), last.parameter, last.optional, last.stringized, last.after_paste
            )
            pasting = True
            continue
        stringized = parameters is not None and is_hash(token)
        if stringized:
            if at == len(line):
                raise BadMacro("`#` in a macro is not followed by one of its parameters")
            token = line[at]._replace(line=0, space=token.space)
            at += 1
        parameter, optional = _index(token, parameters), None
        if variadic and token.text == "__VA_OPT__":
            if stringized:
                raise BadMacro("`#` stands before `__VA_OPT__`, which is not supported; use `gcc -E` on the file")
            inner, at = _enclosed(line, at)
            optional = _parts(inner, parameters, variadic)
        elif stringized and parameter is None:
            raise BadMacro("`#` in a macro is not followed by one of its parameters")
        parts.append(ReplacementPart(token, parameter, optional, stringized, pasting))
        pasting = False
    return tuple(parts)


def _index(token: Token, parameters: tuple[str, ...] | None) -> int | None:
    if parameters is None or token.kind != "name" or token.text not in parameters:
        return None
    return parameters.index(token.text)


def _enclosed(line: list[Token], at: int) -> tuple[list[Token], int]:
    """The tokens in the parentheses that open at `at`, and what comes after them."""
    depth = 0
    for end in range(at, len(line)):
        depth += (line[end].text == "(") - (line[end].text == ")")
        if depth == 0:
            if end == at:
                break
            return line[at + 1 : end], end + 1
    raise BadMacro("`__VA_OPT__` needs parentheses around what it makes optional")
