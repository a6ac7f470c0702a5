"""Registers by their texts, for tests that build programs by hand."""

from __future__ import annotations

from pincer.logic.terms import Term
from pincer.program.registers import Role, register_of


def register(text: str, bits: int = 32) -> Term:
    """`f::x` is a variable of the procedure f, `x` a global one, `$top` the next free slot."""
    if text == "$top":
        return register_of(None, "", bits, Role.TOP)
    owner, _, name = text.rpartition("::")
    return register_of(owner or None, name, bits)
