"""Terms as Python text over known numbers, for paths on which nothing depends on inputs.

Names are those of SMT-LIB, as in `term_data`. Text is nested as the term is, so that parts which a connective does not
need are not computed; what is not known raises when it is computed.
"""

from __future__ import annotations

from collections.abc import Callable

from pincer.evidence.c_proof.smt import VALUES
from pincer.evidence.c_proof.term_data import children
from pincer.logic.terms import Term

_MOST_PARTS = 400
_DEEPEST = 40
_INLINE = {"bvand": "&", "bvor": "|", "bvxor": "^"}


class Unsettled(Exception):
    """A value is not known, or there is no text for it: the path must be walked with symbols."""


class TermText:
    """Texts of terms; `place` says where a register is kept."""

    def __init__(self, place: Callable[[str], str]) -> None:
        self._place = place

    def of(self, term: Term) -> str:
        self._parts = 0
        return self._text(term, 0)

    def _text(self, term: Term, depth: int) -> str:
        self._parts += 1
        if self._parts > _MOST_PARTS or depth > _DEEPEST:
            raise Unsettled
        parts = [self._text(child, depth + 1) for child in children(term)]
        return self._connective(term, parts) or self._word(term, parts)

    def _connective(self, term: Term, parts: list[str]) -> str:
        match term.op:
            case "true" | "false":
                return term.op.capitalize()
            case "not":
                return f"(not {parts[0]})"
            case "and" | "or":
                return "(" + f" {term.op} ".join(parts) + ")"
            case "iff" | "same":
                return f"({parts[0]} == {parts[1]})"
            case "ite":
                return f"({parts[1]} if {parts[0]} else {parts[2]})"
        return ""

    def _word(self, term: Term, parts: list[str]) -> str:
        op, mask = term.op, (1 << (term.sort.width or 0)) - 1
        match op:
            case "var":
                return self._place(str(term.args[0]))
            case "bvconst":
                return str(term.args[0] & mask)
            case "load":
                return f"load({parts[0]}, {term.args[1]})"
            case "room":
                return f"room({parts[0]})"
            case "bvlin":
                factors = [factor for _, factor in term.args[0]]
                summands = [part if f == 1 else f"{f} * {part}" for part, f in zip(parts, factors, strict=True)]
                return f"({' + '.join([*summands, *([str(term.args[1])] if term.args[1] else [])])} & {mask})"
            case "concat":
                return f"({parts[0]} << {term.args[1].sort.width} | {parts[1]})"
            case "extract":
                return f"({parts[0]} >> {term.args[1]} & {mask})" if term.args[1] else f"({parts[0]} & {mask})"
            case "zero_extend":
                return parts[0]
            case "sign_extend":
                sign = 1 << ((term.args[1].sort.width or 1) - 1)
                return f"(({parts[0]} ^ {sign}) - {sign} & {mask})"
        return self._operation(term, parts, mask)

    def _operation(self, term: Term, parts: list[str], mask: int) -> str:
        if term.op in _INLINE:
            return f"({parts[0]} {_INLINE[term.op]} {parts[1]})"
        if term.op in ("bvule", "bvult"):
            return f"({parts[0]} {'<=' if term.op == 'bvule' else '<'} {parts[1]})"
        if term.op in ("bvsle", "bvslt"):
            sign = 1 << ((term.args[0].sort.width or 1) - 1)
            return f"(({parts[0]} ^ {sign}) {'<=' if term.op == 'bvsle' else '<'} ({parts[1]} ^ {sign}))"
        if term.op == "bvadd":
            return f"({parts[0]} + {parts[1]} & {mask})"
        if term.op in VALUES:
            return f"(VALUES[{term.op!r}]({parts[0]}, {parts[1]}, {term.sort.width}) & {mask})"
        if term.op.startswith("fp"):
            return self._floating(term, parts)
        raise Unsettled

    def _floating(self, term: Term, parts: list[str]) -> str:
        operands = list(children(term))
        index = None if isinstance(term.args[0], Term) else term.args[0]
        widths = (operands[0].sort.width, term.sort.width)
        mask = (1 << (widths[0] or 0)) - 1
        given = ", ".join(f"{part} & {mask}" for part in parts)
        return f"NUMBER({term.op!r}, {index!r}, ({given},), {widths})"
