"""What assignments and declarations write: lists and their zeros, texts, structs, and what does not fit."""

from __future__ import annotations

import pytest

from pincer.execution.msvl.assignment import output_text
from tests.execution.msvl.msvl_running import column, run


def last(text: str, name: str) -> object:
    found = run(text)
    assert found.ending.kind == "terminated", found.ending.error
    return column(found, name)[-1]


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("int a[3] <==[1,2,3]", (1, 2, 3)),
        ("int a[4] <==[5]", (5, 0, 0, 0)),
        ("int a[] <==[1,2]", (1, 2)),
        ('char a[4] <== "ab"', (97, 98, 0, 0)),
        ('char a[] <== "ab"', (97, 98, 0)),
        ("int a[2][2] <==[[1],[2,3]]", ((1, 0), (2, 3))),
    ],
)
def test_lists_and_texts_fill_arrays_and_the_rest_is_zero(declared: str, value: object) -> None:
    assert last(f"frame(a) and ({declared} and skip)", "a") == value


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("int a[2] <==[1,2,3]", "3 values for 2 elements"),
        ('char a[2] <== "ab"', "2 characters and a closing zero for 2 elements"),
        ("int a[0]", "the length must be positive"),
        ("int a <==[1]", "a list of values is assigned to an array or a struct"),
        ("int a[]", "needs a length or a list of values"),
    ],
)
def test_what_does_not_fit_is_an_error(declared: str, words: str) -> None:
    found = run(f"frame(a) and ({declared} and skip)")
    assert found.ending.kind == "error"
    assert words in str(found.ending.error)


def test_output_shows_texts_as_they_are() -> None:
    assert (output_text("hot"), output_text(3)) == ("hot", "3")
    assert [text.text for text in run('int x <== 4 and output("x=", x) and empty').outputs] == ["x=4"]
