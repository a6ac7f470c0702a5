"""What scanf reads: numbers of any value, of few characters only small ones, and texts of any length."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.program.control_flow import Unsupported
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered

HEAD = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n"


@pytest.mark.parametrize(
    ("body", "asked", "verdict"),
    [
        ('int d; if (scanf("%1d", &d) == 1) assert(d >= 0 && d < 10);', "assertions", "safe"),
        ('int d; if (scanf("%2d", &d) == 1) assert(d != 99);', "assertions", "unsafe"),
        ('int d; if (scanf("%2d", &d) == 1) assert(d != -9);', "assertions", "unsafe"),
        ('int d; if (scanf("%2d", &d) == 1) assert(d > -10);', "assertions", "safe"),
        ('float f; if (scanf("%f", &f) == 1) assert(f != 2.5f);', "assertions", "unsafe"),
        ('double f = 1; if (scanf("%lf", &f) != 1) assert(f == 1);', "assertions", "safe"),
        ('char s[4]; scanf("%3s", s);', "memory", "safe"),
        ('char s[4]; scanf("%4s", s);', "memory", "unsafe"),
        ('char s[4]; scanf("%s", s);', "memory", "unsafe"),
        ('char s[4]; if (scanf("%2s", s) == 1) assert(strcmp(s, "ab"));', "assertions", "unsafe"),
        ("char s[4]; if (scanf(\"%2s\", s) == 1) assert(s[0] != ' ' && s[1] != '\\n');", "assertions", "safe"),
    ],
)
def test_what_is_read_has_any_value_that_the_conversion_allows(
    tmp_path: Path, body: str, asked: SequentialKind, verdict: str
) -> None:
    program = lowered(tmp_path, f"{HEAD}int main(void) {{ {body} return 0; }}")
    [claim] = check(EngineTask(program, (asked,), SequentialSettings()), Run())
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    "call",
    [
        'float f; scanf("%lf", &f);',
        'long double f; scanf("%Lf", &f);',
        'float f; scanf("%3f", &f);',
        'unsigned u; scanf("%3u", &u);',
        'int i; scanf("%s", &i);',
    ],
)
def test_other_conversions_are_named(tmp_path: Path, call: str) -> None:
    assert labels(lowered(tmp_path, f"{HEAD}int main(void) {{ {call} return 0; }}"), Unsupported)
