"""What is lost at the end is confirmed by LeakSanitizer at the line that allocates it, also inside of the C library."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.evidence.c.compiler import can_build, find_compiler
from pincer.evidence.c.execution import LEAK_CHECKS, confirm
from pincer.evidence.c.failures import FailureKind
from tests.evidence.c.recorded_tests import recorded, written

COMPILER = find_compiler() or ()
HEAD = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstatic char *kept;\n"
pytestmark = pytest.mark.skipif(
    not COMPILER or not any(can_build(COMPILER, (checks,)) for checks in LEAK_CHECKS),
    reason="there is no LeakSanitizer",
)


@pytest.mark.parametrize(
    ("statement", "kind", "status"),
    [
        ("char *p = malloc(4); p[0] = 1;", FailureKind.LEAK, "confirmed"),
        ('char *p = strdup("text"); p[0] = 1;', FailureKind.LEAK, "confirmed"),
        ('char *p; asprintf(&p, "%d", 42);', FailureKind.LEAK, "confirmed"),
        ("kept = malloc(4);", FailureKind.LEAK, "not confirmed"),
        ("kept = malloc(4);", FailureKind.UNFREED, "confirmed"),
        ("char *p = malloc(4); free(p);", FailureKind.UNFREED, "not confirmed"),
    ],
)
def test_a_leak_is_confirmed_where_it_is_allocated(
    tmp_path: Path, statement: str, kind: FailureKind, status: str
) -> None:
    text = f"{HEAD}static void make(void) {{\n{statement}\n}}\nint main(void) {{\nmake();\nreturn 0;\n}}\n"
    claimed = recorded(kind="leaks", line=7)
    claimed = replace(claimed, failure=replace(claimed.failure, kind=kind))
    assert confirm(claimed, written(tmp_path, text)).status == status
