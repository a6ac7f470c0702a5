"""Variables, scopes and numbers."""

from __future__ import annotations

from pincer.evidence.msvl.memory import NIL, NULL, CellAddress, NamedFunction, NameScope, VariableMemory, is_true
from pincer.frontends.msvl.types import INT


def test_a_new_variable_has_the_smallest_number_that_is_free() -> None:
    memory = VariableMemory()
    first, second = memory.new("a", INT, 1), memory.new("b", INT, 1)
    memory.release(first)
    assert not first.there
    assert (second.number, memory.new("c", INT, 1).number, memory.new("d", INT, 1).number) == (2, 1, 3)


def test_cells_have_no_value_until_they_get_one() -> None:
    variable = VariableMemory().new("a", INT, 1)
    assert variable.get(0) is NIL
    variable.put(0, 4)
    assert variable.get(0) == 4
    variable.put(0, NIL)
    assert variable.cells == {}


def test_names_mean_the_innermost_variable() -> None:
    memory = VariableMemory()
    outer = NameScope(None, {"x": memory.new("x", INT, 1), "y": memory.new("y", INT, 1)})
    inner = NameScope(outer, {"x": memory.new("x", INT, 1)})
    assert inner.find("x") is inner.own["x"] and inner.find("y") is outer.own["y"] and inner.find("z") is None
    assert list(inner.chain()) == [inner] and list(outer.chain()) == []


def test_values_are_shown_and_have_a_truth() -> None:
    somewhere = CellAddress(VariableMemory().new("a", INT, 2), 1, INT, 0, 2)
    assert [str(value) for value in (NIL, NULL, somewhere, NamedFunction("f"))] == ["NIL", "NULL", "&1[1]", "f"]
    assert (is_true(NULL), is_true(somewhere), is_true(0), is_true(2)) == (False, True, False, True)
