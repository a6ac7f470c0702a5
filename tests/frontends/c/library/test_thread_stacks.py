"""Where it matters that stack objects outlive a thread that calls `pthread_exit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library.threads import STACK_AFTER_EXIT
from pincer.frontends.c.load import load

TEXT = """
#include <pthread.h>
int *shown;
void leave(void) { pthread_exit(0); }
void *t(void *a) { BODY return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "matters"),
    [
        ("leave();", False),
        ("int x = 1; shown = &x; leave();", True),
        ("int x = 1; shown = &x; pthread_exit(0);", True),
        ("int x = 1; shown = &x;", False),
    ],
)
def test_only_objects_of_those_who_may_be_left_matter(body: str, matters: bool, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(TEXT.replace("BODY", body), encoding="utf-8")
    assert (STACK_AFTER_EXIT in load(file).assumptions) == matters
