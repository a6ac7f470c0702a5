"""What `#define` defines: parameters, replacement lists, the operators in them."""

from __future__ import annotations

import pytest

from pincer.frontends.c.preprocessing.definitions import BadMacro, define, macro_name, read_definition
from pincer.frontends.c.preprocessing.tokens import tokens


@pytest.mark.parametrize(
    ("line", "parameters", "variadic"),
    [
        ("A 1", None, False),
        ("A (x) x", None, False),
        ("F() 1", (), False),
        ("F(x, y) x", ("x", "y"), False),
        ("F(x, ...) x", ("x", "__VA_ARGS__"), True),
        ("F(rest...) rest", ("rest",), True),
    ],
)
def test_parentheses_open_parameters_only_right_behind_the_name(
    line: str, parameters: tuple[str, ...] | None, variadic: bool
) -> None:
    macro = read_definition(list(tokens(line)))
    assert (macro.parameters, macro.variadic) == (parameters, variadic)


def test_operators_become_properties_of_what_they_apply_to() -> None:
    first, second, third = define("F(x)", "a ## x #x").replacement
    assert (first.token.text, first.token.pastes) == ("a", True)
    assert (second.parameter, second.after_paste, second.stringized) == (0, True, False)
    assert (third.parameter, third.stringized) == (0, True)


def test_a_list_without_anything_to_put_in_is_plain() -> None:
    plain = define("A", "1 + b").plain
    assert plain is not None and [token.text for token in plain] == ["1", "+", "b"]
    assert define("F(x)", "x").plain is None


def test_optional_parts_are_lists_of_their_own() -> None:
    _, optional = define("F(x, ...)", "x __VA_OPT__(, __VA_ARGS__)").replacement
    assert optional.optional is not None
    assert [part.parameter for part in optional.optional] == [None, 1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "has no operand"),
        ("1 x", "cannot be the name"),
        ("defined 1", "cannot be the name"),
        ("F(x", "names with commas"),
        ("F(x,) x", "names with commas"),
        ("F(..., x) x", "names with commas"),
        ("F(x, x) x", "there twice"),
        ("A ## x", "stands at an end"),
        ("A x ##", "stands at an end"),
        ("F(x) # y", "not followed by one of its parameters"),
        ("F(x) #", "not followed by one of its parameters"),
        ("F(...) __VA_OPT__ x", "needs parentheses"),
    ],
)
def test_what_is_no_definition_is_refused(line: str, reason: str) -> None:
    with pytest.raises(BadMacro, match=reason):
        read_definition(list(tokens(line)))


def test_a_hash_in_a_macro_without_parameters_is_a_token() -> None:
    assert [part.token.text for part in define("A", "# x").replacement] == ["#", "x"]
    assert macro_name(list(tokens("A b")), "#undef") == "A"
