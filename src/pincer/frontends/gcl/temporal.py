"""`temporal` and `fairness` declarations, and temporal formulas over the states of a guarded program.

Temporal formulas are no GCL: they are lifted out of the text before it is parsed. What stands in braces in them is GCL,
and becomes a proposition. The formula itself stays text, so that engines and those who check them read it each in
their own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from pincer.errors import Position
from pincer.frontends.gcl.expressions import Context, Elaborator
from pincer.frontends.gcl.parser import TOKEN, parse_binders_tree, parse_formula_tree
from pincer.frontends.gcl.scope import strict_scope
from pincer.frontends.parsing import put_in_place
from pincer.frontends.source import SourceText
from pincer.program.guarded import (
    RANGE_PROPERTY,
    FairGroup,
    FiniteType,
    Formula,
    GuardedProgram,
    GuardedTransition,
    TemporalProperty,
)

LTL = "ltl:"
"""What stands before a formula of LTL."""

_PPTL_WORDS = frozenset(("true", "false", "empty", "eps", "skip", "more", "len", "prj", "par", "and", "or", "not"))
_PPTL_WORDS |= {"next", "wnext", "fin", "keep", "halt", "always", "alw", "sometimes", "som"}
_LTL_WORDS = frozenset(("true", "false", "and", "or", "not", "X", "WX", "F", "G", "U", "R", "W"))
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_HEAD = re.compile(r"temporal\s+([A-Za-z_][A-Za-z0-9_]*)\s*")


class _Word(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)


class LiftedDeclaration(Struct, frozen=True):
    """A declaration that begins with `word`; it ends before the semicolon at `end`."""

    word: str
    at: int
    end: int


def lift(source: SourceText) -> tuple[str, tuple[LiftedDeclaration, ...]]:
    """The text with its temporal and fairness declarations turned to blanks, and these declarations.

    The two words mean something at the start of a declaration only: elsewhere they are names as any other."""
    found: list[LiftedDeclaration] = []
    words = list(_words(source.text, 0, len(source.text)))
    depth, number, begins = 0, 0, True
    while number < len(words):
        word = words[number]
        if begins and depth == 0 and word.text in ("temporal", "fairness"):
            number = _closing(words, number, source)
            found.append(LiftedDeclaration(word.text, word.at, words[number].at))
        else:
            depth += (word.text in _OPENING) - (word.text in _CLOSING)
        begins = depth == 0 and words[number].text in (";", "}")
        number += 1
    text = source.text
    for item in found:
        text = text[: item.at] + _blanks(text[item.at : item.end + 1]) + text[item.end + 1 :]
    return text, tuple(found)


def _closing(words: list[_Word], number: int, source: SourceText) -> int:
    """The number of the semicolon that ends the declaration."""
    depth = 0
    for place in range(number, len(words)):
        text = words[place].text
        depth += (text in _OPENING) - (text in _CLOSING)
        if text == ";" and depth <= 0:
            return place
    raise source.error(words[number].at, "this declaration has no end; close it with `;`")


def _words(text: str, start: int, end: int) -> Iterator[_Word]:
    for match in TOKEN.finditer(text, start, end):
        if (kind := match.lastgroup) is not None:
            yield _Word(kind, match[kind], match.start(kind))


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _only(text: str, start: int, end: int) -> str:
    """A part of the text in its place, the rest blank."""
    return _blanks(text[:start]) + text[start:end]


class _DeclarationReader:
    """Reads lifted declarations of one program, or formulas about it."""

    def __init__(self, source: SourceText, program: GuardedProgram, defines: Mapping[str, Formula]) -> None:
        self.source = source
        self.program = program
        self.defines = defines
        self.scope = strict_scope(program)
        self.elaborator = Elaborator(source, self.scope)

    def temporal(self, item: LiftedDeclaration) -> Iterator[TemporalProperty]:
        """One property, or one for each instance of its binders."""
        text = self.source.text
        head = _HEAD.match(text, item.at, item.end)
        if head is None:
            raise self.source.error(item.at, "a temporal property needs a name, as in `temporal live: <>{x = 0};`")
        words = list(_words(text, head.end(), item.end))
        number = 0
        binders = parse_binders_tree(self.source, "")
        if words and words[0].text == "[":
            number = next((i for i, word in enumerate(words) if word.text == "]"), 0)
            binders = parse_binders_tree(self.source, _only(text, words[0].end, words[number].at))
            number += 1
        if number >= len(words) or words[number].text != ":":
            at = words[number].at if number < len(words) else item.end
            raise self.source.error(at, f"expected `:` and a formula after `temporal {head[1]}`")
        begin = words[number].end
        for context, indices in self.elaborator.instances(binders, Context(in_property=True)):
            name = f"{head[1]}[{','.join(map(str, indices))}]" if indices else head[1]
            yield self.property(name, (begin, item.end), context)

    def property(self, name: str, span: tuple[int, int], context: Context) -> TemporalProperty:
        """The formula that stands between two offsets."""
        text = self.source.text
        end = span[1]
        start = next((word.at for word in _words(text, *span)), end)
        shown = text[start:end].rstrip()
        propositions: dict[str, Formula] = {}
        observed = self._observed(start, start + len(shown), context, propositions)
        return TemporalProperty(name, shown, observed, tuple(propositions.items()), self.source.position(start))

    def _observed(self, start: int, end: int, context: Context, propositions: dict[str, Formula]) -> str:
        """The formula with names for what stands in braces; Boolean variables and definitions are propositions, too."""
        text, pieces, done = self.source.text, list[str](), start
        reserved = _LTL_WORDS if text.startswith(LTL, start) else {*_PPTL_WORDS, *map(str.upper, _PPTL_WORDS), "U"}
        names: dict[str, str] = {}
        words = list(_words(text, start, end))
        for number, word in enumerate(words):
            if word.at < done:
                continue
            if word.text == "{":
                closing = next((other for other in words[number:] if other.text == "}"), None)
                if closing is None:
                    raise self.source.error(word.at, "this predicate is not closed; end it with `}`")
                inner = parse_formula_tree(self.source, _only(text, word.end, closing.at))
                name = names.setdefault(" ".join(text[word.end : closing.at].split()), f"${len(names) + 1}")
                propositions[name] = self.elaborator.formula(inner, context)
                pieces += text[done : word.at], put_in_place(text, word.at, closing.end, name)
                done = closing.end
            elif word.kind == "NAME" and word.text not in reserved:
                meaning = self._bare(word.text, context)
                if meaning is not None:
                    propositions[word.text] = meaning
        return "".join((*pieces, text[done:end]))

    def _bare(self, name: str, context: Context) -> Formula | None:
        """What a name outside of braces stands for."""
        if name in self.defines:
            return self.defines[name]
        variable = self.scope.variables.get(name)
        if variable is None or not isinstance(variable.type, FiniteType) or not variable.type.is_bool:
            return None
        return self.elaborator.formula(parse_formula_tree(self.source, name), context)

    def fairness(self, item: LiftedDeclaration) -> Iterator[FairGroup]:
        """The groups that a declaration names."""
        words = list(_words(self.source.text, item.at, item.end))[1:]
        if not words or words[0].text not in ("weak", "strong"):
            at = words[0].at if words else item.end
            raise self.source.error(at, "fairness is `weak` or `strong`, as in `fairness weak P, Q.enter;`")
        strong, rest = words[0].text == "strong", words[1:]
        while True:
            number = next((i for i, word in enumerate(rest) if word.text == "," and _balanced(rest[:i])), len(rest))
            yield from self._groups(rest[:number], strong, item.end)
            if number == len(rest):
                return
            rest = rest[number + 1 :]

    def _groups(self, words: list[_Word], strong: bool, end: int) -> Iterator[FairGroup]:
        if not words or words[0].kind != "NAME":
            raise self.source.error(words[0].at if words else end, "expected the name of a process or a transition")
        name, rest = words[0], words[1:]
        indices: tuple[int, ...] | None = None
        if rest and rest[0].text == "[":
            number = next((i for i, word in enumerate(rest) if word.text == "]"), len(rest) - 1)
            indices = self._indices(rest[1:number])
            rest = rest[number + 1 :]
        command = rest[1].text if len(rest) == 2 and rest[0].text == "." else None
        if rest and command is None:
            raise self.source.error(rest[0].at, "expected `,` or `;` here, or `.` and the name of a transition")
        members: dict[tuple[int, ...], list[str]] = {}
        for transition in self.program.transitions:
            if _is_named(transition, name.text, command) and indices in (None, transition.instance):
                members.setdefault(transition.instance, []).append(transition.name)
        if not members:
            what = "".join(word.text for word in words)
            raise self.source.error(name.at, f"there is no process or transition `{what}` in this program")
        if command is None and len(self._owners(name.text)) > 1:
            both = f"`{name.text}` is the name of a process and of a transition; rename one of them"
            raise self.source.error(name.at, both)
        for instance, transitions in members.items():
            shown = name.text + (f"[{','.join(map(str, instance))}]" if instance else "")
            yield FairGroup(shown + (f".{command}" if command else ""), strong, tuple(transitions))

    def _owners(self, name: str) -> set[str | None]:
        """The processes with a name, and None for a transition of no process that has it."""
        return {found.process for found in self.program.transitions if _is_named(found, name, None)}

    def _indices(self, words: list[_Word]) -> tuple[int, ...]:
        found = []
        rest = words
        while rest:
            number = next((i for i, word in enumerate(rest) if word.text == "," and _balanced(rest[:i])), len(rest))
            end = rest[number - 1].end if number else rest[0].at
            tree = parse_formula_tree(self.source, _only(self.source.text, rest[0].at, end))
            found.append(self.elaborator.constant(tree, Context(), "the index of a process"))
            rest = rest[number + 1 :]
        return tuple(found)


def _balanced(words: list[_Word]) -> bool:
    return sum((word.text in _OPENING) - (word.text in _CLOSING) for word in words) == 0


def _is_named(transition: GuardedTransition, name: str, command: str | None) -> bool:
    """Whether a transition belongs to a process (with `command`: is that one of it), or is one of no process."""
    own = transition.name.partition("[")[0].rpartition(".")[2]
    if transition.process is None:
        return command is None and own == name
    return transition.process == name and command in (None, own)


def declared(
    source: SourceText, program: GuardedProgram, lifted: tuple[LiftedDeclaration, ...]
) -> tuple[tuple[TemporalProperty, ...], tuple[FairGroup, ...]]:
    """The temporal properties and the fairness of a program; what is named twice is strongly fair if it is once."""
    reader = _DeclarationReader(source, program, {})
    properties: dict[str, TemporalProperty] = {}
    groups: dict[str, FairGroup] = {}
    taken = {item.name for item in program.properties}
    for item in lifted:
        if item.word == "fairness":
            for group in reader.fairness(item):
                if group.strong or group.name not in groups:
                    groups[group.name] = group
            continue
        for found in reader.temporal(item):
            if found.name in properties or found.name in taken:
                raise source.error(item.at, f"redefinition: the property `{found.name}` is already defined")
            if found.name == RANGE_PROPERTY:
                raise source.error(item.at, "the property name `range` is reserved; choose another name")
            properties[found.name] = found
    return tuple(properties.values()), tuple(groups.values())


def asked_property(
    program: GuardedProgram, text: str, name: str, place: Position, defines: Mapping[str, Formula]
) -> TemporalProperty:
    """A formula about the expanded program, from a call or a file; it begins at `place`."""
    source = SourceText(place.file, "\n" * (place.line - 1) + " " * (place.column - 1) + text)
    start = len(source.text) - len(text)
    return _DeclarationReader(source, program, defines).property(
        name, (start, len(source.text)), Context(in_property=True)
    )
