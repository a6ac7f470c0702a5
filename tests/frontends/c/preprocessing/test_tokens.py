"""Text cut into preprocessing tokens (C17 6.4), and written again without merging them."""

from __future__ import annotations

import pytest

from pincer.frontends.c.preprocessing.tokens import Token, one_token, tokens, would_merge, written


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("x+++++y", ["x", "++", "++", "+", "y"]),
        ("1..2e+3.x", ["1..2e+3.x"]),
        ("0xe+1", ["0xe+1"]),
        ("a/* b */c//d", ["a", "c"]),
        ("L'a' u8\"b\\\"c\" 'd", ["L'a'", 'u8"b\\"c"', "'d"]),
        ("%:%: <: ...", ["%:%:", "<:", "..."]),
        ("$x größe @", ["$x", "größe", "@"]),
        ("a->b<<=c", ["a", "->", "b", "<<=", "c"]),
    ],
)
def test_the_longest_token_is_taken(text: str, cut: list[str]) -> None:
    assert [token.text for token in tokens(text)] == cut


def test_tokens_know_whether_space_is_before_them() -> None:
    assert [token.space for token in tokens("a b/**/c(d")] == [False, True, True, False, False]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ab", "name"),
        (".5f", "number"),
        ("##", "operator"),
        ('"x"', "literal"),
        ("a b", None),
        ('"x', None),
        (" ", None),
        ("+-", None),
    ],
)
def test_one_token_is_one_token(text: str, kind: str | None) -> None:
    found = one_token(text)
    assert (found and found.kind) == kind


SPELLINGS = ["a", "1", "1e", "+", "-", "++", "/", "*", "<", "=", ">", ".", "...", "#", ":", "%", "&", "|", '"s"', "("]


@pytest.mark.parametrize("first", SPELLINGS)
def test_what_is_written_is_cut_into_the_same_tokens_again(first: str) -> None:
    for second in SPELLINGS:
        pair = [Token(token.kind, token.text) for text in (first, second) for token in tokens(text)]
        again = [Token(token.kind, token.text) for token in tokens(written(pair))]
        assert again == pair, (first, second)


def test_only_neighbours_that_would_merge_are_kept_apart() -> None:
    assert would_merge("+", "+") and would_merge("a", "1") and would_merge("e", "-")
    assert not would_merge("(", "a") and not would_merge("a", "(") and not would_merge("", "a")
