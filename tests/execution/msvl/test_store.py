"""Memory: numbers are used again, generations tell old from new, fingerprints follow the values."""

from __future__ import annotations

from pincer.execution.msvl.store import GLOBAL, ObjectInfo, VariableStore, same_concretely
from pincer.execution.msvl.values import NIL_VALUE, Value
from pincer.frontends.msvl.types import INT, ArrayOf
from pincer.logic.terms import variable

PLAIN = ObjectInfo("x", INT, 1, False, True)
ARRAY = ObjectInfo("a", ArrayOf(INT, 2), 2, False, True)


def test_numbers_are_used_again_smallest_first() -> None:
    store = VariableStore()
    first, second = store.allocate(PLAIN), store.allocate(PLAIN)
    store.release(first)
    assert store.allocate(PLAIN) == first and store.allocate(PLAIN) == second + 1
    assert store.generations[first] == 2 and store.generations[second] == 1


def test_slots_are_written_one_by_one() -> None:
    store = VariableStore()
    array = store.allocate(ARRAY, GLOBAL)
    store.write(array, 1, Value(5))
    assert (store.read(array, 0), store.read(array, 1).concrete) == (NIL_VALUE, 5)
    store.write(array, 1, NIL_VALUE)
    assert store.read(array, 1) is NIL_VALUE
    assert store.lookup(GLOBAL, "a") == array and store.lookup(GLOBAL, "b") is None


def test_equal_values_have_equal_fingerprints() -> None:
    one, other = VariableStore(), VariableStore()
    for store, values in ((one, (1, 2, 3)), (other, (3,))):
        number = store.allocate(PLAIN)
        for value in values:
            store.write(number, 0, Value(value, variable("s_x") if store is one else None))
    assert one.fingerprint == other.fingerprint and same_concretely(one.contents, other.contents)
    other.write(1, 0, Value(4))
    assert one.fingerprint != other.fingerprint and not same_concretely(one.contents, other.contents)


def test_what_is_given_up_comes_back_but_its_pointers_stay_invalid() -> None:
    store = VariableStore()
    saved = store.save()
    number = store.allocate(PLAIN)
    store.restore(saved)
    assert store.allocate(PLAIN) == number and store.generations[number] == 2


def test_a_scope_takes_its_variables_with_it() -> None:
    store = VariableStore()
    scope = store.open_scope(GLOBAL)
    number = store.allocate(PLAIN, scope)
    store.close_scope(scope)
    assert number not in store.objects and store.open_scope(GLOBAL) == scope
