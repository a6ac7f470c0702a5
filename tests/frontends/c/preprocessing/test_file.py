"""A place in a file: lines as the user counts them, tokens over the ends of lines, directives on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.preprocessing.definitions import BadMacro
from pincer.frontends.c.preprocessing.file import DIRECTIVES, SourceFile, TokenLine
from pincer.frontends.c.preprocessing.source import spliced
from pincer.frontends.c.preprocessing.tokens import tokens


def source(text: str, parent: SourceFile | None = None) -> SourceFile:
    joined, joints = spliced(text)
    return SourceFile(joined, Path("a.c"), "a.c", joints, parent)


def test_lines_are_counted_from_the_last_renumbering() -> None:
    file = source("a\nb\nc\nd\n")
    assert file.line(2) == 2
    file.at = 3
    file.renumber(100)
    assert (file.line(4), file.line(6)) == (100, 101)


def test_joined_lines_count_only_for_what_is_spelled_behind_them() -> None:
    file = source("a \\\nb\nc\n")
    assert file.text == "a b\n\nc\n"
    assert [file.spelled_line(file.text.index(name)) for name in "abc"] == [1, 2, 3]


def test_tokens_are_taken_over_the_ends_of_lines_and_directives_obeyed() -> None:
    file = source("x\n#line\n y")
    obeyed: list[str] = []
    file.on_directive = lambda: obeyed.append(file.word())
    found = [file.take() for _ in range(3)]
    assert [(token.text, token.space, token.line) for token in found[:2]] == [("x", False, 1), ("y", True, 3)]
    assert found[2].kind == "end" and obeyed == ["line"]


def test_a_parenthesis_is_taken_only_if_it_comes_next() -> None:
    file = source(" /* c */\n ( x")
    assert file.opens() and file.take().text == "x"
    assert not source("x (").opens()
    above = source("(1)")
    with pytest.raises(BadMacro, match="in another file"):
        source("  \n", above).opens()
    assert source("  \n", above).depth == 1


@pytest.mark.parametrize(("text", "header"), [(" <a/b.h> x", "<a/b.h>"), ('"c.h"', '"c.h"'), ("NAME", None)])
def test_headers_are_read_in_their_brackets(text: str, header: str | None) -> None:
    assert source(text).header() == header


def test_the_rest_of_a_line_ends_with_it() -> None:
    file = source("a /* b\n */ c\nd")
    assert [token.text for token in file.rest()] == ["a", "c"]
    with pytest.raises(BadMacro, match="no end"):
        source("a /* b").rest()


def test_directives_are_not_found_in_comments_and_strings() -> None:
    text = '#a\n/*\n#b */ "\\\n"\n  %:c\nx #d\n// #e\n'.replace("\\\n", "")
    found = [one.start() for one in DIRECTIVES.finditer(text) if one.lastgroup == "directive"]
    assert [text[start:].split("\n")[0].strip() for start in found] == ["#a", "%:c"]


def test_a_line_of_tokens_ends() -> None:
    line = TokenLine(list(tokens("f(x")))
    assert line.take().text == "f" and line.opens() and not line.opens()
    assert [line.take().kind for _ in range(2)] == ["name", "end"]
