"""The expansion of macros (C17 6.10.3.1 to 6.10.3.4), in the order and with the choices of gcc.

Replacements lie on a stack and are read from its top; below it is the text itself. A macro is disabled while its
replacement is on the stack, and a name that is read while its macro is disabled is never expanded again. Where the
standard leaves open whether an expansion is nested (a name at the end of a replacement takes its arguments from the
text behind), this gives the answer of gcc: replacements that are read to their end are off the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pincer.frontends.c.preprocessing.definitions import BadMacro, Builtin, Macro, ReplacementPart
from pincer.frontends.c.preprocessing.tokens import END, GAP, Token, one_token

_MOST_TOKENS = 1_000_000


class Text(Protocol):
    """Where tokens come from when no replacement is left to be read."""

    def take(self) -> Token:
        """The next token, END if there is none."""

    def opens(self) -> bool:
        """Whether a parenthesis comes next, which is then taken; nothing is taken otherwise."""


@dataclass(slots=True)
class _Replacement:
    """Tokens to be read. A `closed` one is an argument, behind which nothing is read."""

    tokens: Sequence[Token]
    macro: str | None
    line: int
    closed: bool = False
    at: int = 0


@dataclass(slots=True)
class _Call:
    """A macro with its arguments as they are written and, where they were needed, expanded.

    `omitted` says that the variable argument is not there at all, not even empty.
    """

    macro: Macro
    arguments: list[list[Token]]
    omitted: bool
    expanded: dict[int, list[Token]] = field(default_factory=dict)


class Expander:
    """Reads tokens from a text and expands them. Misused macros raise BadMacro."""

    def __init__(self, macros: dict[str, Macro], text: Text, builtin: Callable[[Builtin, int], Token]) -> None:
        self._macros = macros
        self._text = text
        self._builtin = builtin
        self._stack: list[_Replacement] = []
        self._disabled: set[str] = set()
        self._line = 0
        self._outermost_line = 0
        self._outermost_called = False
        self._produced = 0

    def call(self, name: Token) -> list[Token] | None:
        """The expansion of a macro's name that was just read, None if it lacks its arguments."""
        self._line = name.line
        self._begin(name)
        if not self._enter(name):
            self._stack.clear()
            return None
        expanded = [_padding(name)]
        while self._stack:
            self._hand_on(expanded)
            _append(expanded, self.next())
        return expanded

    def next(self) -> Token:
        """The next token of the expanded text, paddings among them, END at the end."""
        outermost = not self._stack
        token = self.read()
        if token.kind == "name" and not token.blocked and token.text in self._macros:
            if outermost:
                self._begin(token)
            if self._enter(token):
                return _padding(token)
        return token

    def read(self) -> Token:
        """The next token without expanding it."""
        while self._stack:
            top = self._stack[-1]
            if top.at == len(top.tokens):
                if top.closed:
                    return END
                self._stack.pop()
                if top.macro is not None:
                    self._disabled.discard(top.macro)
                return GAP
            token = top.tokens[top.at]
            top.at += 1
            self._line = top.line or token.line
            if token.pastes:
                self._push([_pasted(token, top)], self._line)
            elif token.kind == "name" and token.text in self._disabled and not token.blocked:
                return token._replace(blocked=True)
            else:
                return token
        token = self._text.take()
        self._line = token.line
        return token

    def _hand_on(self, expanded: list[Token]) -> None:
        """Move the tokens of the topmost replacement that neither ## nor a macro's name concerns: most of them."""
        if not self._stack:
            return
        top, macros = self._stack[-1], self._macros
        tokens, end = top.tokens, len(top.tokens)
        for at in range(top.at, end):
            token = tokens[at]
            if token.pastes or (token.kind == "name" and token.text in macros):
                end = at
                break
        if top.at < end:
            _append(expanded, tokens[top.at])
            expanded.extend(tokens[top.at + 1 : end])
            top.at = end

    def _begin(self, name: Token) -> None:
        """Note the macro that is not within another; whether it has arguments decides what `__LINE__` is in it."""
        self._outermost_line = self._line
        self._outermost_called = self._macros[name.text].parameters is not None

    def _push(self, tokens: Sequence[Token], line: int, macro: str | None = None) -> None:
        self._produced += len(tokens)
        if self._produced > _MOST_TOKENS:
            raise BadMacro("the expansion of macros is too long; check which of them use each other")
        self._stack.append(_Replacement(tokens, macro, line))

    def _enter(self, name: Token) -> bool:
        """Put the replacement of a macro on the stack, unless its arguments are missing."""
        macro, line = self._macros[name.text], self._line
        if macro.builtin is not None:
            shown = line if self._outermost_called else self._outermost_line
            self._push([self._builtin(macro.builtin, shown)], line)
            return True
        if macro.parameters is None:
            replacement: Sequence[Token] = macro.plain or ()
        elif not self._opens():
            return False
        else:
            call = self._arguments(macro, macro.parameters)
            replacement = self._filled(macro.replacement, call) if macro.plain is None else macro.plain
        self._disabled.add(macro.name)
        self._push(replacement, line, macro.name)
        return True

    def _opens(self) -> bool:
        """Take an opening parenthesis if it comes next; what is read for that is put back otherwise."""
        padding: Token | None = None
        while self._stack:
            token = self.read()
            if token.kind == "padding" or token.kind == "gap":
                if padding is None or padding.kind == "gap" or (not padding.space and token.kind == "gap"):
                    padding = token
                continue
            if token.text == "(":
                return True
            if token.kind != "end":
                self._push([token], self._line)
            break
        else:
            if self._text.opens():
                return True
        if padding is not None:
            self._push([padding], self._line)
        return False

    def _arguments(self, macro: Macro, parameters: Sequence[str]) -> _Call:
        """Read the arguments up to the closing parenthesis."""
        last = len(parameters) if macro.variadic else 0
        arguments: list[list[Token]] = [[]]
        depth = 0
        while True:
            token = self.read()
            kind, text = token.kind, token.text
            if kind == "end":
                raise BadMacro(f"the arguments of a macro have no closing `)`; look at `{macro.name}`")
            if kind == "operator":
                if text == "(":
                    depth += 1
                elif text == ")":
                    if depth == 0:
                        break
                    depth -= 1
                elif text == "," and depth == 0 and len(arguments) != last:
                    arguments.append([])
                    continue
            elif not text and not arguments[-1]:
                continue
            arguments[-1].append(token if token.line == self._line else token._replace(line=self._line))
        for argument in arguments:
            while argument and not argument[-1].text:
                argument.pop()
        return _checked(macro, len(parameters), arguments)

    def _filled(self, parts: Sequence[ReplacementPart], call: _Call) -> list[Token]:
        """A replacement list with the arguments in it; ## is left to be done when it is read."""
        filled: list[Token] = []
        for number, part in enumerate(parts):
            if part.parameter is None and part.optional is None:
                filled.append(part.token)
                continue
            pastes, after = part.token.pastes, part.after_paste
            if after and part.parameter is not None and _is_rest(part, call) and filled and filled[-1].text == ",":
                comma = filled.pop()
                if not call.omitted:
                    filled.append(comma._replace(pastes=pastes))
            tokens = self._inserted(part, call)
            if number and not after:
                filled.append(_padding(part.token))
            if tokens:
                filled.extend(tokens)
                if pastes:
                    filled[-1] = filled[-1]._replace(pastes=True)
            elif after and not pastes and filled and filled[-1].pastes:
                filled[-1] = filled[-1]._replace(pastes=False)
            if not pastes:
                _append(filled, GAP)
        return filled

    def _inserted(self, part: ReplacementPart, call: _Call) -> list[Token]:
        """What stands for a parameter: its argument as a string, as it is beside ##, or else expanded."""
        if part.optional is not None:
            rest = self._expanded(len(call.arguments) - 1, call)
            return _trimmed(self._filled(part.optional, call)) if any(token.text for token in rest) else []
        assert part.parameter is not None
        if part.stringized:
            return [_stringized(call.arguments[part.parameter], part.token.space)]
        if part.token.pastes or part.after_paste:
            return call.arguments[part.parameter]
        return self._expanded(part.parameter, call)

    def _expanded(self, number: int, call: _Call) -> list[Token]:
        if number not in call.expanded:
            argument = call.arguments[number]
            if any(token.text in self._macros for token in argument):
                argument = self._alone(argument)
            call.expanded[number] = argument
        return call.expanded[number]

    def _alone(self, argument: list[Token]) -> list[Token]:
        """An argument expanded as if it were the rest of the file."""
        line = self._line
        self._stack.append(_Replacement(argument, None, 0, closed=True))
        expanded: list[Token] = []
        self._hand_on(expanded)
        while (token := self.next()) is not END:
            _append(expanded, token)
            self._hand_on(expanded)
        self._stack.pop()
        self._line = line
        return expanded


def _append(tokens: list[Token], token: Token) -> None:
    """Add a token; of paddings of one kind the first alone counts, and nested calls would make many of them."""
    if token.text or not tokens or tokens[-1].kind != token.kind:
        tokens.append(token)


def _padding(source: Token) -> Token:
    return Token("padding", "", source.space)


def _trimmed(tokens: list[Token]) -> list[Token]:
    """Without paddings at the ends, so that ## finds a token."""
    texts = [number for number, token in enumerate(tokens) if token.text]
    return tokens[texts[0] : texts[-1] + 1] if texts else []


def _is_rest(part: ReplacementPart, call: _Call) -> bool:
    return call.macro.variadic and part.parameter == len(call.arguments) - 1


def _checked(macro: Macro, wanted: int, arguments: list[list[Token]]) -> _Call:
    given = len(arguments)
    if wanted == 0 and arguments == [[]]:
        return _Call(macro, [], False)
    omitted = macro.variadic and (given < wanted or (given == 1 and not arguments[0]))
    if macro.variadic and given == wanted - 1:
        arguments.append([])
    elif given != wanted:
        plural = "" if wanted == 1 else "s"
        raise BadMacro(f"the macro `{macro.name}` requires {wanted} argument{plural} but is given {given}")
    return _Call(macro, arguments, omitted)


def _pasted(token: Token, rest: _Replacement) -> Token:
    """A token joined with what follows it in its replacement, as long as ## follows."""
    joined = token
    while joined.pastes:
        right = rest.tokens[rest.at]
        rest.at += 1
        if not right.text:
            continue
        both = one_token(joined.text + right.text)
        if both is None:
            parts = f"`{joined.text}` and `{right.text}`"
            raise BadMacro(f"`##` joins {parts}, which is not one token; write them side by side")
        joined = both._replace(space=token.space, pastes=right.pastes)
    return joined


def _stringized(argument: Sequence[Token], space: bool) -> Token:
    """The operator #: the spelling of an argument as a string literal."""
    text = ""
    source: Token | None = None
    for token in argument:
        if not token.text:
            if source is None or source.kind == "gap" or (not source.space and token.kind == "gap"):
                source = token
            continue
        before = token if source is None or source.kind == "gap" else source
        if text and before.space:
            text += " "
        source = None
        escaped = token.kind == "literal" and token.text[-1] in "\"'"
        text += token.text.replace("\\", "\\\\").replace('"', '\\"') if escaped else token.text
    trailing = len(text) - len(text.rstrip("\\"))
    return Token("literal", f'"{text[:-1] if trailing % 2 else text}"', space)
