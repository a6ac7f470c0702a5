"""Registers of control-flow programs: whose they are, what they are called and what they are for.

A register is a bit-vector variable whose name is a `Register`. Names of other variables (symbols for inputs, ghosts)
are plain strings, so that neither can be taken for the other.
"""

from __future__ import annotations

from enum import IntEnum, auto
from functools import cache
from typing import NamedTuple

from pincer.logic import bitvectors
from pincer.logic.terms import Term


class Role(IntEnum):
    """What a register is for."""

    VARIABLE = auto()
    PARAMETER = auto()
    UNNAMED = auto()
    """A parameter without a name."""
    TEMPORARY = auto()
    """Holds one value inside an expression; made by the front end."""
    RESULT = auto()
    """What `return` assigns."""
    INTO = auto()
    """A parameter besides those of the source: where a record that is returned goes."""
    ARGUMENTS = auto()
    """A parameter besides those of the source: where the variable arguments are."""
    ADDRESS = auto()
    """The address of a local object, where activations may have one each."""
    THREAD_VARIABLE = auto()
    """Belongs to a thread, like the registers of its activations, and lasts as long as it runs."""
    THREAD_ADDRESS = auto()
    """The address of a thread's copy of an object."""
    JUMP = auto()
    """Where a `longjmp` that is under way leads to, and what it delivers."""
    TOP = auto()
    """The address of the next free slot."""
    GHOST = auto()
    """Counts what a property asks about; the program has no such variable."""


_MARKS = {
    Role.UNNAMED: "$parameter",
    Role.TEMPORARY: "$",
    Role.RESULT: "$result",
    Role.INTO: "$into",
    Role.ARGUMENTS: "$arguments",
    Role.ADDRESS: "&",
    Role.THREAD_ADDRESS: "&",
    Role.JUMP: "$jump_",
    Role.TOP: "$top",
    Role.GHOST: "$",
}
THREAD = "$thread"


class Register(NamedTuple):
    """The name of a register. `owner` is the procedure whose activations have one each, `THREAD` where threads have
    one each, None for a global one. Its text is what people, solvers and certificates read; no other register of a
    program has the same."""

    owner: str | None
    name: str
    role: Role = Role.VARIABLE

    def __str__(self) -> str:
        return _text(self)


@cache
def _text(register: Register) -> str:
    around, separator, name = register.name.rpartition("::")
    mark = _MARKS.get(register.role, "$" if name.startswith("$") else "")
    text = f"{around}{separator}{mark}{name}"
    return text if register.owner is None else f"{register.owner}::{text}"


def register_of(owner: str | None, name: str, bits: int, role: Role = Role.VARIABLE) -> Term:
    """The variable that a register is."""
    return bitvectors.variable(Register(owner, name, role), bits)


def global_register(name: str, bits: int) -> Term:
    """The register of a global variable."""
    return register_of(None, name, bits)


def thread_register(name: str, bits: int) -> Term:
    """The register of a variable that every thread has its own copy of."""
    return register_of(THREAD, name, bits, Role.THREAD_VARIABLE)


def renamed(term: Term, owner: str | None, name: str) -> Term:
    """Another register for the same purpose."""
    return register_of(owner, name, bitvectors.width(term), term.args[0].role)


def is_register(term: Term) -> bool:
    return term.op == "var" and isinstance(term.args[0], Register)


def is_local(term: Term) -> bool:
    """Whether a variable belongs to a procedure's activation, or to a thread."""
    name = term.args[0]
    return isinstance(name, Register) and name.owner is not None


def is_global(term: Term) -> bool:
    """Whether a variable is a register that all procedures and threads share."""
    name = term.args[0]
    return isinstance(name, Register) and name.owner is None


def has_role(term: Term, *roles: Role) -> bool:
    """Whether a term is a register with one of these roles."""
    return is_register(term) and term.args[0].role in roles


def is_temporary(term: Term) -> bool:
    """Whether a term is a register that the front end made for one value inside an expression."""
    return has_role(term, Role.TEMPORARY)


def is_thread_object(term: Term) -> bool:
    """Whether a term is a register that holds the address of a thread's copy of an object."""
    return has_role(term, Role.THREAD_ADDRESS)
