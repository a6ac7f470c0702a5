"""What labels read and write, against what their texts say; and that mapping their terms is faithful."""

from __future__ import annotations

import pytest

from pincer.logic import bitvectors
from pincer.logic.bitvectors import constant, load
from pincer.logic.terms import Term, equal, substitute
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
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
    Skip,
    Store,
    Unsupported,
)
from pincer.program.labels import (
    NOT_FOLLOWED,
    Span,
    copied_span,
    mapped,
    read_registers,
    read_terms,
    renamed,
    written_register,
    written_span,
)
from pincer.program.listing import label_text
from pincer.program.thread_labels import Join, Start
from tests.program.named_registers import register

R, P, Q, N = register("f::r", 64), register("f::p", 64), register("q", 64), register("f::n", 64)
B = register("f::b", 8)
IS_ZERO = equal(load(P, 8), constant(0, 64))

LABELS: list[tuple[Label, tuple[Term, ...], Term | None]] = [
    (Assign(R, load(P, 8)), (load(P, 8),), R),
    (Store(P, N), (P, N), None),
    (Copy(P, Q, N), (P, Q, N), None),
    (Fill(P, N, B), (P, N, B), None),
    (Assume(IS_ZERO, True), (IS_ZERO,), None),
    (Input(R, "nondet"), (), R),
    (Allocate(R, N, False, "heap"), (N,), R),
    (Begin(4096, 8), (), None),
    (End(P), (P,), None),
    (Free(Q), (Q,), None),
    (Check("division", IS_ZERO, "zero"), (IS_ZERO,), None),
    (Call("g", (P, N), R), (P, N), R),
    (Call("g", (), None), (), None),
    (Fail("fails"), (), None),
    (Halt("exit"), (), None),
    (Unsupported("floats"), (), None),
    (Skip(), (), None),
    (Start(P, Q, N, R, result=B), (P, Q, N, R), B),
    (Join(P, Q, result=None), (P, Q), None),
]


@pytest.mark.parametrize(("label", "read", "written"), LABELS, ids=lambda value: type(value).__name__)
def test_what_a_label_reads_and_assigns(label: Label, read: tuple[Term, ...], written: Term | None) -> None:
    assert read_terms(label) == read
    assert read_registers(label) == frozenset().union(*(term.variables for term in read))
    assert written_register(label) is written


@pytest.mark.parametrize("label", [label for label, _, _ in LABELS], ids=lambda label: type(label).__name__)
def test_terms_are_mapped_where_they_are_read_only(label: Label) -> None:
    names = {old: register(f"g::{old.args[0].name}", bitvectors.width(old)) for old in (R, P, Q, N, B)}
    changed = mapped(label, lambda term: substitute(term, names))
    assert type(changed) is type(label)
    assert read_terms(changed) == tuple(substitute(term, names) for term in read_terms(label))
    assert written_register(changed) is written_register(label)
    assert mapped(label, lambda term: term) == label


@pytest.mark.parametrize("label", [label for label, _, _ in LABELS], ids=lambda label: type(label).__name__)
def test_a_renamed_label_says_the_same_of_other_registers(label: Label) -> None:
    names = {old: register(f"g::{old.args[0].name}", bitvectors.width(old)) for old in (R, P, Q, N, B)}
    changed = renamed(label, names)
    expected = label_text(label).replace("f::", "g::")
    assert label_text(changed).replace("g::q", "q") == expected
    assert renamed(changed, {new: old for old, new in names.items()}) == label


def test_the_memory_that_is_written_and_copied() -> None:
    assert written_span(Store(P, B)) == Span(P, constant(1, 64))
    assert written_span(Copy(P, Q, N)) == written_span(Fill(P, N, B)) == Span(P, N)
    assert copied_span(Copy(P, Q, N)) == Span(Q, N)
    assert written_span(Assign(R, N)) is None and copied_span(Store(P, N)) is None


def test_what_is_not_followed_by_analyses_of_one_thread() -> None:
    found = {type(label) for label, _, _ in LABELS if isinstance(label, NOT_FOLLOWED)}
    assert found == {Fail, Halt, Unsupported, Start, Join}
