"""What is assumed of programs that compare and exchange pointers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.program import NOT_EXCHANGED_AGAIN

TEXT = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; } pool[3];
_Atomic(struct node *) top;
void push(struct node *n) {
  struct node *old = atomic_load(&top);
  do n->next = old; while (!atomic_compare_exchange_strong(&top, &old, n));
}
void *t(void *a) { push(NODE); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, &pool[1]); push(&pool[2]); pthread_join(p, 0); AFTER return 0; }
"""


@pytest.mark.parametrize(
    ("node", "after", "open_"),
    [
        ("&pool[0]", "", False),
        ("a", "", False),
        ("malloc(8)", "", False),
        ("malloc(8)", "free(top);", True),
        ("&pool[0]", "struct node one; push(&one);", True),
        ("(struct node *)(unsigned long)rand()", "", True),
    ],
)
def test_what_lives_for_ever_may_be_exchanged(tmp_path: Path, node: str, after: str, open_: bool) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT.replace("NODE", node).replace("AFTER", after), "utf-8")
    assert (NOT_EXCHANGED_AGAIN in load(file).assumptions) == open_
