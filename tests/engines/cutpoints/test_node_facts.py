"""Lists of any length: what is known of all nodes is proved, and nothing that is wrong of one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.portfolio import Ended
from tests.engines.cutpoints.cut_runs import is_proved, tried

PREPENDED = """
struct node { int v; struct node *next; };
int main(void) {
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        if (!x) return 1;
        x->v = 1;
        x->next = h;
        h = x;
    }
    for (struct node *p = h; p; p = p->next) assert(p->v == 1);
    while (h) { struct node *t = h->next; free(h); h = t; }
}"""
APPENDED = """
struct node { struct node *next; int v; };
int main(void) {
    char *other = malloc(10);
    if (!other) return 0;
    struct node *head = 0, *tail = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        if (!x) return 0;
        x->next = 0;
        x->v = 5;
        if (tail) tail->next = x; else head = x;
        tail = x;
    }
    for (struct node *p = head; p; p = p->next) assert(p->v == 5);
    other[3] = 1;
}"""


@pytest.mark.parametrize("kind", ["memory", "assertions"])
def test_nodes_that_are_put_in_front_are_walked_and_freed(tmp_path: Path, kind: str) -> None:
    assert is_proved(tmp_path, PREPENDED, kind)  # type: ignore[arg-type]


def test_nodes_that_are_put_behind_are_walked_beside_another_object(tmp_path: Path) -> None:
    assert is_proved(tmp_path, APPENDED)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (PREPENDED, "free(h); h = t;", "free(h); h = t; if (t) free(t);"),
        (PREPENDED, "x->next = h;", "if (!h) x->next = h;"),
        (APPENDED, "x->next = 0;", ""),
        (APPENDED, "sizeof *x", "8"),
    ],
    ids=["freed twice", "no next node", "no end", "too small"],
)
def test_lists_that_go_wrong_are_not_proved(tmp_path: Path, text: str, right: str, wrong: str) -> None:
    assert right in text
    assert isinstance(tried(tmp_path, text.replace(right, wrong)), Ended)


def test_a_value_that_not_all_nodes_have_is_not_proved(tmp_path: Path) -> None:
    text = PREPENDED.replace("x->v = 1;", "x->v = __VERIFIER_nondet_int() == 77 ? 2 : 1;")
    assert isinstance(tried(tmp_path, text, "assertions"), Ended)
