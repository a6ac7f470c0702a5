"""The algebra of labels: what a step evaluates, what it assigns and writes, and how it reads with other terms.

`Allocate` assigns the top of memory besides; procedures that are called and threads that are started have effects of
their own (see `pincer.program.effects`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic import bitvectors
from pincer.logic.terms import Term, substitute
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    Copy,
    End,
    Fail,
    Fill,
    Free,
    Halt,
    Input,
    Label,
    Store,
    Unsupported,
)
from pincer.program.thread_labels import ThreadOperation

NOT_FOLLOWED = (Fail, Halt, Unsupported, ThreadOperation)
"""Steps after which analyses of one thread do not go on: dead ends, and what other threads take part in."""


def read_terms(label: Label) -> tuple[Term, ...]:
    """The terms whose values a step needs, addresses among them."""
    match label:
        case Assign(_, value):
            return (value,)
        case Store(address, value):
            return address, value
        case Copy(first, second, third) | Fill(first, second, third):
            return first, second, third
        case Assume(condition) | Check(_, condition):
            return (condition,)
        case Allocate(_, value) | End(value) | Free(value):
            return (value,)
        case Call(_, arguments) | ThreadOperation(operands=arguments):
            return arguments
    return ()


def read_registers(label: Label) -> frozenset[Term]:
    """The registers whose values a step needs."""
    terms = read_terms(label)
    return terms[0].variables if len(terms) == 1 else frozenset().union(*(term.variables for term in terms))


def written_register(label: Label) -> Term | None:
    """The register that a step assigns."""
    match label:
        case Assign(register) | Input(register) | Allocate(register):
            return register
        case Call(result=result) | ThreadOperation(result=result):
            return result
    return None


class Span(Struct, frozen=True):
    """`size` bytes of memory from an address on."""

    address: Term
    size: Term


def written_span(label: Label) -> Span | None:
    """The memory that a step writes; what beginning, ending and thread operations do to objects is not among it."""
    match label:
        case Store(address, value):
            return Span(address, bitvectors.constant(bitvectors.width(value) // 8, bitvectors.width(address)))
        case Copy(target, _, size) | Fill(target, size):
            return Span(target, size)
    return None


def copied_span(label: Label) -> Span | None:
    """The memory that a step reads besides the reads inside its terms."""
    return Span(label.source, label.size) if isinstance(label, Copy) else None


def mapped(label: Label, change: Callable[[Term], Term]) -> Label:
    """The same step on other terms; what it assigns stays."""
    match label:
        case Assign(value=value):
            return replace(label, value=change(value))
        case Store(address, value):
            return Store(change(address), change(value))
        case Copy(target, source, size):
            return Copy(change(target), change(source), change(size))
        case Fill(target, size, byte):
            return Fill(change(target), change(size), change(byte))
        case Assume(condition) | Check(_, condition):
            return replace(label, condition=change(condition))
        case Allocate(_, size):
            return replace(label, size=change(size))
        case End(address) | Free(address):
            return replace(label, address=change(address))
        case Call(_, arguments):
            return replace(label, arguments=tuple(map(change, arguments)))
        case ThreadOperation():
            return label.mapped(change)
    return label


def renamed(label: Label, names: Mapping[Term, Term]) -> Label:
    """The same step on other registers, those it assigns included."""
    label = mapped(label, lambda term: substitute(term, names))
    match label:
        case Assign(register) | Input(register) | Allocate(register) if register in names:
            return replace(label, register=names[register])
        case Call(result=result) | ThreadOperation(result=result) if result is not None and result in names:
            return replace(label, result=names[result])
    return label
