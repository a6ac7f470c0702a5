"""What `main` gets from the command line: a few short texts, with a null pointer after the last; an environment."""

from __future__ import annotations

from collections.abc import Collection

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics.argument_use import looks_at_little
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Begin, GivenObject, Input, Store
from pincer.program.property import EVERY_KIND, Assumption

_MOST_ARGUMENTS = 3
_MOST_CHARACTERS = 11
PROGRAM_NAME = b"./test"
"""What compiled tests are started as."""
FEW_ARGUMENTS = Assumption(
    f"`main` is started as {PROGRAM_NAME.decode()} with at most {_MOST_ARGUMENTS} arguments "
    f"of at most {_MOST_CHARACTERS} characters",
    leaves_open=EVERY_KIND,
)
"""A bound of the exploration, not a fact: with it nothing is said to hold."""
NO_ENVIRONMENT = Assumption("`main` is started in an empty environment", leaves_open=EVERY_KIND)
STARTED_WITH_A_NAME = Assumption("`main` is started with its name at least: argc is 1 or more", compiled=True)


def give_command_line(frame: Frame, name: str, count: Term, vector: Term, used: Collection[Term]) -> None:
    """argc and argv, as far as `main` uses them; argc alone may be any number from 1 on, under its own name."""
    bits = bitvectors.width(count)
    if vector not in used:
        if count in used:
            frame.unit.assume(STARTED_WITH_A_NAME)
            frame.emit(Input(count, name, "argument", signed=True, usual=1))
            frame.emit(Assume(bitvectors.compare("bvsle", bitvectors.constant(1, bits), count)))
        return
    frame.emit(Input(count, "argc", "command", signed=True, usual=2))
    frame.emit(Assume(bitvectors.compare("bvsle", bitvectors.constant(1, bits), count)))
    if looks_at_little(frame.unit.program, _MOST_ARGUMENTS, _MOST_CHARACTERS):
        frame.unit.assume(STARTED_WITH_A_NAME)
    else:
        most = bitvectors.constant(1 + _MOST_ARGUMENTS, bits)
        frame.emit(Assume(bitvectors.compare("bvsle", count, most)))
        frame.unit.assume(FEW_ARGUMENTS)
    texts = [_program_name(frame)]
    for number in range(1, 1 + _MOST_ARGUMENTS):
        given = bitvectors.compare("bvslt", bitvectors.constant(number, bits), count)
        texts.append(terms.conditional(given, _text(frame, number), frame.address(0)))
    _vector(frame, "argv", vector, [*texts, frame.address(0)])


def give_environment(frame: Frame, vector: Term, used: Collection[Term]) -> None:
    """The environment that `main` gets as its third parameter: there is nothing in it."""
    if vector in used:
        frame.unit.assume(NO_ENVIRONMENT)
        _vector(frame, "envp", vector, [frame.address(0)])


def _vector(frame: Frame, name: str, register: Term, texts: list[Term]) -> None:
    """The addresses of texts, one behind the other, in an object that people know by a name."""
    step = frame.target.pointer_bytes
    array = frame.unit.addresses.take(step * len(texts))
    frame.emit(Begin(array, step * len(texts)))
    frame.unit.given[array] = GivenObject(name, step)
    for number, text in enumerate(texts):
        frame.emit(Store(frame.address(array + number * step), text))
    frame.emit(Assign(register, frame.address(array)))


def _program_name(frame: Frame) -> Term:
    address = frame.unit.addresses.take(len(PROGRAM_NAME) + 1)
    frame.emit(Begin(address, len(PROGRAM_NAME) + 1))
    frame.unit.given[address] = GivenObject("argv[0]", 1)
    for offset, byte in enumerate((*PROGRAM_NAME, 0)):
        frame.emit(Store(frame.address(address + offset), bitvectors.constant(byte, 8)))
    return frame.address(address)


def _text(frame: Frame, number: int) -> Term:
    """The address of a text with any characters; it ends at the first zero, at the last byte if not before."""
    address = frame.unit.addresses.take(_MOST_CHARACTERS + 1)
    frame.emit(Begin(address, _MOST_CHARACTERS + 1))
    frame.unit.given[address] = GivenObject(f"argv[{number}]", 1)
    for offset in range(_MOST_CHARACTERS):
        character = frame.temporary(8)
        frame.emit(Input(character, f"argv[{number}][{offset}]", "command"))
        frame.emit(Store(frame.address(address + offset), character))
    frame.emit(Store(frame.address(address + _MOST_CHARACTERS), bitvectors.constant(0, 8)))
    return frame.address(address)
