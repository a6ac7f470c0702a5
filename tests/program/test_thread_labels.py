"""What thread operations say about the terms they read and the memory they write."""

from __future__ import annotations

from typing import get_args

import pytest

from pincer.logic import bitvectors
from pincer.program.thread_labels import (
    AtomicBegin,
    Exit,
    Join,
    Lock,
    Meet,
    Patience,
    SemaphoreValue,
    SetAttribute,
    Setting,
    Start,
    SyncKind,
    ThreadLabel,
    ThreadOperation,
    Unmodelled,
)

A, B, C, D = (bitvectors.variable(f"f::{name}", 64) for name in "abcd")
ONE = bitvectors.constant(1, 64)


def test_the_family_is_sealed() -> None:
    assert {kind.__name__ for kind in get_args(ThreadLabel)} == {k.__name__ for k in ThreadOperation.__subclasses__()}


def test_operands_are_the_terms_that_are_there_in_order() -> None:
    assert Start(A, B, C, D, result=A).operands == (A, B, C, D)
    assert Lock(SyncKind.MUTEX, A).operands == (A,)
    assert Lock(SyncKind.MUTEX, A, Patience.A_WHILE, limit=B).operands == (A, B)
    assert Unmodelled((A, B)).operands == (A, B)
    assert AtomicBegin().operands == Meet(place=0, needed=(1, 2)).operands == Exit().operands == ()


def test_what_is_only_handed_on_decides_nothing() -> None:
    start = Start(A, B, C, D)
    assert (start.decisive, start.passed) == ((A, B, C), (D,))
    assert (Exit(A).decisive, Exit(A).passed) == ((), (A,))
    assert (Join(A, B).decisive, Join(A, B).passed) == ((A, B), ())


@pytest.mark.parametrize(
    ("label", "stores"),
    [
        (Start(A, B, C, D), ((A, 8),)),
        (Join(A, B), ((B, 8),)),
        (SemaphoreValue(A, B), ((B, 4),)),
        (SetAttribute(A, Setting.MUTEX_KIND, B), ((A, 4),)),
        (SetAttribute(A, Setting.IGNORED), ()),
        (Lock(SyncKind.MUTEX, A), ()),
    ],
)
def test_results_are_stored_in_memory(label: ThreadOperation, stores: object) -> None:
    assert label.stores(8) == stores


def test_other_terms_make_another_operation_of_the_same_kind() -> None:
    lock = Lock(SyncKind.SPIN_LOCK, A, Patience.NOT_AT_ALL, result=B, function="pthread_spin_trylock")
    assert lock.mapped(lambda term: ONE) == Lock(
        SyncKind.SPIN_LOCK, ONE, Patience.NOT_AT_ALL, result=B, function="pthread_spin_trylock"
    )
    assert Unmodelled((A, B)).mapped(lambda term: ONE) == Unmodelled((ONE, ONE))
    assert Exit().mapped(lambda term: ONE) == Exit()
