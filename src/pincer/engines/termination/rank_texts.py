"""Ranks for readers: which words get smaller at which loop, in the names of the source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from msgspec import Struct

from pincer.errors import Position
from pincer.logic.bitvectors import constant_value, linear_parts, signed, width
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import ControlFlowProgram, Procedure
from pincer.program.loops import loop_position
from pincer.program.passes.recursion import Joined
from pincer.program.source_names import SourceNames


class RankedLoop(Struct, frozen=True):
    """The words that get smaller at a loop, or from call to call of a `function`; none where it is passed once. Of any
    two visits between which they stay what they are, the later one has one of `others` smaller."""

    position: Position
    words: tuple[str, ...]
    function: str = ""
    others: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        if self.others:
            pairs = f"{' or '.join(self.others)} between any two visits"
            return f"({', '.join(self.words)}), then {pairs}" if self.words else pairs
        return f"({', '.join(self.words)})" if len(self.words) > 1 else "".join(self.words)

    @property
    def place(self) -> str:
        return (
            f"calls of {self.function}"
            if self.function
            else f"{PurePath(self.position.file).name}:{self.position.line}"
        )


def ranked_loops(
    program: ControlFlowProgram,
    procedure: Procedure,
    ranks: Mapping[int, tuple[Term, ...]],
    visits: Mapping[int, tuple[Term, ...]],
    joined: Joined | None = None,
) -> tuple[RankedLoop, ...]:
    """For each loop the words of its tuple that are not constant, and those of its `visits`. Some heads are entries of
    functions that are `joined`, others in their bodies."""
    found: dict[RankedLoop, None] = {}
    for head in sorted(procedure.loop_heads & ranks.keys()):
        function = "" if joined is None else joined.entries.get(head, "")
        body = procedure.name if joined is None else joined.bodies.get(head, procedure.name)
        names = SourceNames(program, function or body)
        words, others = (
            tuple(dict.fromkeys(word_text(word, names) for word in given if constant_value(word) is None))
            for given in (ranks[head], visits.get(head, ()))
        )
        found[RankedLoop(loop_position(program, procedure, head), words, function, others)] = None
    return tuple(found)


def ranks_text(loops: Iterable[RankedLoop]) -> str:
    """A sentence that says why a program ends."""
    known = list(loops)
    between = "from loop to loop" + (" and call to call" if any(loop.function for loop in known) else "")
    parts = [f"{loop.place} {loop.said or 'it is passed once'}" for loop in known]
    return f"{between} a rank gets smaller, and no rank does so for ever: {'; '.join(parts)}"


def formula_text(loops: Iterable[RankedLoop]) -> str:
    """A sentence that says why no run violates a formula: what gets smaller where a run could wait for ever."""
    parts = dict.fromkeys(f"{loop.place} {loop.said}" for loop in loops if loop.words)
    if not parts:
        return "no run ends, or goes round for ever, where the property would be false of it"
    return f"no run stays for ever where it would violate the property, as a rank gets smaller: {'; '.join(parts)}"


def word_text(word: Term, names: SourceNames) -> str:
    """A word without the widening and the flipped sign that only keep its order."""
    match word.op:
        case "zero_extend" | "sign_extend":
            return word_text(word.args[1], names)
        case "ite" if constant_value(word.args[1]) is not None and constant_value(word.args[2]) is not None:
            condition, then, otherwise = word.args
            falls = (constant_value(then) or 0) < (constant_value(otherwise) or 0)
            return f"whether {names.formula(negate(condition) if falls else condition)}"
        case "ite":
            then, otherwise = (word_text(part, names) for part in word.args[1:])
            return f"{names.formula(word.args[0])} ? {then} : {otherwise}"
        case "bvxor" if (mask := constant_value(word.args[0])) is not None:
            text = word_text(word.args[1], names)
            kept = mask in (1 << (width(word) - 1), 1 << (width(word) - 3), 1 << (width(word) - 1) >> 1)
            return text if kept else f"-({text})"
        case "bvlin":
            return _sum(word, names)
    if word.op == "var":
        return names.text(word) or _qualified(str(word))
    return names.formula(word)


def _qualified(register: str) -> str:
    """A name that means several things, with the function whose it is where that was put in place of a call."""
    *owners, name = register.split("::")
    return name if len(owners) < 2 else f"{owners[-1].partition('.')[0]}.{name}"


def _sum(word: Term, names: SourceNames) -> str:
    parts, offset = linear_parts(word)
    text = ""
    for factor, coefficient in sorted(parts, key=lambda part: signed(part[1], width(word)) < 0):
        weight = signed(coefficient, width(word))
        sign = ("-" if weight < 0 else "") if not text else (" - " if weight < 0 else " + ")
        text += sign + ("" if abs(weight) == 1 else f"{abs(weight)} * ") + word_text(factor, names)
    shift = signed(offset, width(word))
    return text + (f" {'-' if shift < 0 else '+'} {abs(shift)}" if shift else "")
