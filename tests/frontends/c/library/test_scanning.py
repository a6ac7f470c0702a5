"""What scanf reads: numbers of any value, of few characters only small ones, and texts of any length."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.program.control_flow import Unsupported
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run
from tests.frontends.c.compiled_c import compiled_result, needs_compiler
from tests.frontends.c.lowered_c import labels, lowered, result_of

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


READ_FROM_TEXTS = """
long long result;
static void add(int count, double value, const char *rest) {
    result = (result * 31 + count * 1000003LL + (long long)(value * 1024) + (rest ? rest[0] : 0)) % 1000000007;
}
int main(void) {
    const char *texts[] = {"3.25 x", "1e3,", "-150", "  +.5", "abc", "", "-", "7", "1234567", "inf!", "12.5.5"};
    for (int i = 0; i < 11; i++) {
        double d = 0;
        float f = 0;
        int n = 0;
        char c = 0;
        add(sscanf(texts[i], "%lf%n", &d, &n), d > 1e9 ? 5 : d, texts[i] + n);
        add(sscanf(texts[i], "%3f%c", &f, &c), f > 1e9f ? 5 : f, &c);
        add(sscanf(texts[i], "%*g %c", &c), 0, &c);
    }
    return 0;
}
"""


@needs_compiler
def test_numbers_with_a_point_are_read_from_texts_as_the_machine_does(tmp_path: Path) -> None:
    text = HEAD + READ_FROM_TEXTS
    assert result_of(tmp_path, text) == compiled_result(tmp_path, text, "-m64")
