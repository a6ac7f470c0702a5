"""Memory that nothing points to at the end of merged paths, on all of them or on some."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.program.passes import Leaks, instrumented
from tests.evidence.c_proof.merged_claims import judged, plenty

HEAD = """#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct node { struct node *next; int value; };
struct node *list;
"""
BUILT = """
    for (int i = 0; i < 2; i++) if (__VERIFIER_nondet_uchar() & 1) {
        struct node *new = malloc(sizeof *new); if (!new) return 0;
        new->next = list; new->value = i; list = new;
    }
"""
KEPT = {
    "a list that a global points to": BUILT,
    "a list that is freed": BUILT + "while (list) { struct node *rest = list->next; free(list); list = rest; }",
    "freed on the path that has it": """
        char *p = 0; unsigned char a = __VERIFIER_nondet_uchar();
        if (a > 9) p = malloc(3);
        if (a > 9) free(p);""",
    "an address in the middle": "list = (struct node *)((char *)malloc(sizeof *list) + 8);",
}
LOST = {
    "the first of a list": BUILT + "if (list) list = list->next;",
    "not freed for one input": """
        char *p = malloc(3); unsigned char a = __VERIFIER_nondet_uchar();
        if (a != 'z') free(p);""",
    "two that point to each other": """
        struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
        if (!a || !b) exit(0);
        a->next = b; b->next = a;""",
}


def lost(folder: Path, body: str) -> bool:
    file = folder / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}")
    program = instrumented(load(file), Leaks())
    checked = judged(program, "assertions", plenty(program, 10, 10))
    assert checked.accepted or "lost" in checked.refused[0]
    return not checked.accepted


@pytest.mark.parametrize("name", KEPT)
def test_what_is_reached_or_freed_is_accepted(tmp_path: Path, name: str) -> None:
    assert not lost(tmp_path, KEPT[name])


@pytest.mark.parametrize("name", LOST)
def test_what_some_path_loses_is_refused(tmp_path: Path, name: str) -> None:
    assert lost(tmp_path, LOST[name])
