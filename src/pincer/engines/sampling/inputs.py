"""The inputs of an execution: as others can deliver them again, and drawn at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from pincer.evidence.c.trace import InputValue, InputVector
from pincer.execution.machine import InputRecord, chronological
from pincer.execution.testing import Node
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term, children
from pincer.program.control_flow import Assign, Assume, Call, ControlFlowProgram, Input

_BYTE = 8


def input_vector(last: Node) -> InputVector:
    """What an execution has consumed up to a node, in order."""
    return tuple(_input(record, last) for record in chronological(last.state.inputs))


def is_truth_value(label: Input) -> bool:
    """Whether an input is 0 or 1 by its type; a test with any other value would end at once."""
    return label.source == "__VERIFIER_nondet_bool"


def is_character(label: Input) -> bool:
    """Whether an input is a character of a file, or its end, though it is as wide as a number."""
    return label.source.startswith("character of a file")


def _input(record: InputRecord, last: Node) -> InputValue:
    assert record.position is not None
    kind: Any = record.kind
    value = last.state.values[record.symbol]
    bits = width(record.symbol)
    word = record.word(value)
    return InputValue(record.source, kind, bits, value, record.position, record.signed, record.floating, word)


def drawn_input(rng: random.Random, label: Input, symbol: Term, numbers: Mapping[int, list[int]]) -> int:
    """A random value for an input: often one that the program compares with, or a small number."""
    if is_truth_value(label):
        return rng.randint(0, 1)
    bits = width(symbol)
    draw = rng.random()
    if is_character(label):
        return _drawn_character(rng, draw, numbers.get(_BYTE, [])) & ((1 << bits) - 1)
    known = numbers.get(bits)
    if known and draw < 0.5:
        return rng.choice(known)
    if draw < 0.8:
        return rng.randint(0, 3) & ((1 << bits) - 1)
    return rng.randint(0, 40) & ((1 << bits) - 1) if draw < 0.95 else rng.getrandbits(bits)


def _drawn_character(rng: random.Random, draw: float, known: list[int]) -> int:
    if known and draw < 0.5:
        return rng.choice(known)
    return -1 if draw < 0.55 else rng.randint(0, 127)


def compared_numbers(program: ControlFlowProgram) -> dict[int, list[int]]:
    """The constants in conditions, by width, each with its neighbours."""
    found: dict[int, set[int]] = {}
    seen: set[Term] = set()
    stack = [edge.label.condition for edge in program.edges() if isinstance(edge.label, Assume)]
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op == "bvconst":
            bits = width(term)
            found.setdefault(bits, set()).update((term.args[0] + d) & ((1 << bits) - 1) for d in (-1, 0, 1))
        stack += children(term)
    return {bits: sorted(values) for bits, values in found.items()}


def looked_for(program: ControlFlowProgram) -> dict[int, list[int]]:
    """The numbers that a program compares with, and the characters that it looks for: functions are given them."""
    found = compared_numbers(program)
    characters = set(found.get(_BYTE, ()))
    for edge in program.edges():
        match edge.label:
            case Assign(_, value):
                given: tuple[Term, ...] = (value,)
            case Call(_, arguments):
                given = arguments
            case _:
                given = ()
        numbers = (term.args[0] for term in given if term.op == "bvconst")
        characters |= {number for number in numbers if number >> _BYTE == 0}
    return {**found, _BYTE: sorted(characters)}
