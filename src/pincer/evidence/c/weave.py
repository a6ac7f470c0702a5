"""Rules in compiled code: every function a rule speaks of is called through a wrapper that runs the rule's handlers.

A function with a body gets another name, and its own name goes to the wrapper. A function without one keeps its name
for the harness or the C library; the program then calls the wrapper instead. No line is added before the program's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c.instrument import inserted, parameter_names
from pincer.evidence.c.tokens import CText, DefinedFunction, read
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.rules import Instrumentation

BODY, CALLED = "__pincer_body_", "__pincer_woven_"

_BASIC = frozenset(
    ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "__int128"]
)
_QUALIFIERS = frozenset(["const", "volatile", "restrict", "__restrict", "register", "struct", "union", "enum"])
_ASSIGNS = re.compile(r"=[^=]|[-+*/%&|^]=|<<=|>>=|\+\+|--")


def weave(text: str, rule: Instrumentation, entry: str) -> str:
    """A preprocessed program with a rule tied in. What cannot be wrapped is a `PincerError`."""
    weaver = _Weaver(read(text), read(rule.native), entry)
    insertions: list[tuple[int, str]] = []
    tail = ""
    for function, hook in rule.hooks.items():
        if function in weaver.source.definitions:
            insertions += weaver.around_body(function, hook)
        elif function in weaver.source.names and (hook.before or hook.after):
            insertions += weaver.renamed(function)
            tail += weaver.around_call(function, hook)
    native = rule.native.replace("\n#line ", "\n# ")
    return f"{weaver.prototypes()}\n{inserted(text, insertions)}\n{tail}{native}"


class _WrappedFunction(Struct, frozen=True):
    """What a wrapper copies: the words before the name, the parameter list with names, and those names."""

    specifiers: str
    parameters: str
    names: Sequence[str]
    is_void: bool


class _Weaver:
    """Wrappers over one program, for the handlers of one rule."""

    def __init__(self, source: CText, native: CText, entry: str) -> None:
        self.source = source
        self._native = native
        self._entry = entry
        self._void = _names_of_void(source)

    def prototypes(self) -> str:
        return " ".join(
            f"static void {name}{self._words(self._native, handler.open, handler.close + 1)};"
            for name, handler in self._native.definitions.items()
            if self._native.text(handler.name - 1) == "void"
        )

    def around_body(self, name: str, hook: Hook) -> Iterator[tuple[int, str]]:
        """The wrapper stands behind the function, under its name; a declaration in front serves the calls between."""
        definition = self.source.definitions[name]
        first = self._start(definition.name)
        function = self._defined(name, definition, first)
        if hook.on_return and self._arity(hook.on_return) and self._changes(definition, function.names):
            raise PincerError(f"the rule cannot be compiled in: {name} changes its parameters before it returns")
        called = (hook.before, hook.after) if name != self._entry else (None, None)
        body = self._wrapper(function, BODY + name, (called[0], hook.on_entry), (hook.on_return, called[1]))
        yield self.source.tokens[first].start, f"{function.specifiers} {name}{self._prototype(definition)}; "
        yield self.source.tokens[definition.name].start, BODY
        if definition.end < len(self.source.tokens):
            yield self.source.tokens[definition.end].end, f" {function.specifiers} {name}{function.parameters} {body}"

    def _prototype(self, definition: DefinedFunction) -> str:
        """The parameter list of a declaration; an old-style definition declares nothing about its parameters."""
        old = any(self.source.text(index) == ";" for index in range(definition.close, definition.body))
        return "()" if old else self._words(self.source, definition.open, definition.close + 1)

    def renamed(self, name: str) -> Iterator[tuple[int, str]]:
        return ((token.start, CALLED) for token in self.source.tokens if token.text == name)

    def around_call(self, name: str, hook: Hook) -> str:
        function = self._declared(name)
        body = self._wrapper(function, name, (hook.before,), (hook.after,))
        head = f"{function.specifiers} {name}{function.parameters};"
        return f"{head} {function.specifiers} {CALLED}{name}{function.parameters} {body}\n"

    def _wrapper(
        self, function: _WrappedFunction, called: str, before: Sequence[str | None], after: Sequence[str | None]
    ) -> str:
        call = f"{called}({', '.join(function.names)});"
        values = list(function.names) if function.is_void else [*function.names, "__pincer_result"]
        parts = [self._handler(handler, function.names) for handler in before if handler]
        parts.append(call if function.is_void else f"__auto_type __pincer_result = {call}")
        parts += [self._handler(handler, values) for handler in after if handler]
        return f"{{ {' '.join(parts)}{'' if function.is_void else ' return __pincer_result;'} }}"

    def _handler(self, name: str, values: Sequence[str]) -> str:
        return f"{name}({', '.join(values[: self._arity(name)])});"

    def _arity(self, handler: str) -> int:
        return len(parameter_names(self._native, self._native.definitions[handler]))

    def _start(self, name: int) -> int:
        """The first token of the declaration around a function's name at top level."""
        start = name
        while start > 0 and self.source.text(start - 1) not in (";", "}"):
            start -= 1
        return start

    def _defined(self, name: str, definition: DefinedFunction, first: int) -> _WrappedFunction:
        self._refuse_variable_arguments(name, definition.open, definition.close)
        parameters = self._words(self.source, definition.open, definition.body)
        return self._function(first, definition.name, parameters, parameter_names(self.source, definition))

    def _declared(self, name: str) -> _WrappedFunction:
        """A function that the program only declares; parameters without a name get one."""
        index = self._declaration(name)
        if index is None:
            raise PincerError(f"the rule cannot be compiled in: {name} has no body and no declaration")
        close = self.source.partners[index + 1]
        self._refuse_variable_arguments(name, index + 1, close)
        pairs = [_parameter(words, number) for number, words in enumerate(self._split(index + 2, close))]
        parameters = f"({', '.join(text for text, _ in pairs) or 'void'})"
        return self._function(self._start(index), index, parameters, [name for _, name in pairs])

    def _function(self, first: int, name: int, parameters: str, names: Sequence[str]) -> _WrappedFunction:
        specifiers = self._words(self.source, first, name)
        is_void = "*" not in specifiers and bool(self._void & set(specifiers.split()))
        return _WrappedFunction(specifiers, parameters, names, is_void)

    def _declaration(self, name: str) -> int | None:
        index = 0
        while index < len(self.source.tokens):
            if self.source.text(index) == name and self.source.is_call(index):
                return index
            index = self.source.partners.get(index, index) + 1
        return None

    def _split(self, index: int, end: int) -> list[list[str]]:
        """The words of each parameter of a list; none for `(void)` and `()`."""
        parts: list[list[str]] = [[]]
        depth = 0
        for token in self.source.tokens[index:end]:
            depth += (token.text in "([") - (token.text in ")]")
            if token.text == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token.text)
        return [] if parts in ([[]], [["void"]]) else parts

    def _refuse_variable_arguments(self, name: str, open_: int, close: int) -> None:
        if self.source.text(close - 1) == "." and close > open_ + 1:
            raise PincerError(f"the rule cannot be compiled in: {name} takes any number of arguments")

    def _changes(self, definition: DefinedFunction, names: Sequence[str]) -> bool:
        """Whether a body may assign to one of the parameters or take its address."""
        for index in range(definition.body, definition.end):
            if self.source.text(index) in names:
                after = "".join(self.source.text(following) for following in range(index + 1, index + 4))
                before = self.source.text(index - 2) + self.source.text(index - 1)
                if _ASSIGNS.match(after) or before.endswith(("&", "++", "--")):
                    return True
        return False

    @staticmethod
    def _words(source: CText, start: int, end: int) -> str:
        return " ".join(token.text for token in source.tokens[start:end])


def _names_of_void(source: CText) -> frozenset[str]:
    """`void` and the types that are other names of it."""
    names = {"void"}
    for index in range(len(source.tokens) - 3):
        if source.text(index) == "typedef" and source.text(index + 1) in names and source.text(index + 3) in (";", ","):
            names.add(source.text(index + 2))
    return frozenset(names)


def _parameter(words: list[str], number: int) -> tuple[str, str]:
    """A parameter's declaration with its name, invented where it has none."""
    pointer = next((i for i in range(len(words) - 1) if words[i] == "(" and words[i + 1] == "*"), None)
    end = words.index("[") if "[" in words else len(words)
    if pointer is not None:
        end = pointer + 2
        if words[end : end + 1] and words[end].isidentifier():
            return " ".join(words), words[end]
    else:
        plain = [word for word in words[:end] if word.isidentifier() and word not in _QUALIFIERS]
        if plain and (plain[-1] not in _BASIC if _BASIC & set(plain) else len(plain) > 1):
            return " ".join(words), plain[-1]
    name = f"__pincer_argument{number}"
    return " ".join([*words[:end], name, *words[end:]]), name
