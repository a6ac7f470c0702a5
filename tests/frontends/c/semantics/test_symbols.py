"""Scopes: inner names hide outer ones, tags and labels have names of their own."""

from __future__ import annotations

from pincer.frontends.c.semantics.symbols import Enumerator, Scope, TypeName
from pincer.frontends.c.semantics.types import INT, Record


def test_the_innermost_name_is_found() -> None:
    outer = Scope(names={"x": TypeName(INT, const=False), "y": Enumerator(1, INT)})
    inner = Scope(Scope(outer), names={"x": Enumerator(2, INT)})
    assert inner.find("x") == Enumerator(2, INT)
    assert inner.find("y") == Enumerator(1, INT)
    assert outer.find("x") == TypeName(INT, const=False)
    assert inner.find("z") is None


def test_a_tag_is_no_name_and_a_name_no_tag() -> None:
    record = Record("struct", "s")
    scope = Scope(Scope(tags={"s": record}), names={"t": Enumerator(1, INT)})
    assert scope.find_tag("s") is record and scope.find("s") is None
    assert scope.find_tag("t") is None


def test_labels_of_a_block_have_other_names_than_those_of_the_function() -> None:
    inner = Scope(Scope(labels={"out": "out.1"}))
    assert (inner.label("out"), inner.label("end")) == ("out.1", "end")
