"""Drawings are laid out so that nothing overlaps and every label fits."""

from __future__ import annotations

import itertools

import pytest

from pincer.report.page.layout import Arrow, Box, Placed, folded, placed

Rectangle = tuple[float, float, float, float]


def around(centre: tuple[int, int], width: int, height: int) -> Rectangle:
    return centre[0] - width / 2, centre[1] - height / 2, centre[0] + width / 2, centre[1] + height / 2


def apart(a: Rectangle, b: Rectangle) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


BOXES = [Box(("a",)), Box(("a rather long line of text", "second")), Box(("c",)), Box(("漢字漢字漢字",))]
ARROWS = [
    Arrow(0, 1, ("x := x + 1",)),
    Arrow(0, 2, ("else", "wait")),
    Arrow(2, 2, ("again",)),
    Arrow(1, 3),
    Arrow(3, 0),
]


@pytest.fixture(scope="module")
def drawing() -> Placed:
    return placed(BOXES, ARROWS)


def test_boxes_and_labels_do_not_overlap(drawing: Placed) -> None:
    shapes = [around(centre, box.width, box.height) for centre, box in zip(drawing.boxes, BOXES, strict=True)]
    for (_, centre), arrow in zip(drawing.arrows, ARROWS, strict=True):
        if centre:
            shapes.append(around(centre, Box(arrow.lines).width - 20, 14 * len(arrow.lines)))
    assert all(apart(a, b) for a, b in itertools.combinations(shapes, 2))


def test_the_drawing_holds_all_its_boxes(drawing: Placed) -> None:
    for centre, box in zip(drawing.boxes, BOXES, strict=True):
        left, top, right, bottom = around(centre, box.width, box.height)
        assert left >= -1 and top >= -1 and right <= drawing.width + 1 and bottom <= drawing.height + 1


def test_only_labelled_arrows_have_a_place_for_a_label(drawing: Placed) -> None:
    assert [centre is not None for _, centre in drawing.arrows] == [True, True, True, False, False]


def test_an_arrow_ends_at_the_edge_of_its_box(drawing: Placed) -> None:
    path, _ = drawing.arrows[3]
    x, y = map(int, path.rpartition("L")[2].split())
    left, top, right, bottom = around(drawing.boxes[3], BOXES[3].width, BOXES[3].height)
    assert left - 2 <= x <= right + 2
    assert min(abs(y - top), abs(y - bottom), abs(x - left), abs(x - right)) <= 2


def test_wide_characters_get_wide_boxes() -> None:
    assert Box(("漢字",)).width == Box(("abcd",)).width


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ("",)),
        ("short", ("short",)),
        ("two words", ("two words",)),
        ("one two three", ("one two", "three")),
        ("abcdefghijklmn", ("abcdefghij", "klmn")),
        ("one two three four five six seven", ("one two", "three fou…")),
    ],
)
def test_long_text_is_folded_at_spaces_and_ends_in_an_ellipsis(text: str, lines: tuple[str, ...]) -> None:
    assert folded(text, longest=10, most=2) == lines


def test_a_word_that_is_too_long_is_cut_behind_a_parenthesis() -> None:
    assert folded("lock_it(&from->lock);", longest=14) == ("lock_it(", "&from->lock);")
