"""Formatted text is what the C library of the machine makes of it, by the interpreter, both data models."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.program.property import DataModel
from tests.frontends.c.compiled_c import compiled_result, needs_compiler
from tests.frontends.c.lowered_c import result_of

_CALLS = (
    '"%d|%i|%u", -5, 7, 4000000000u',
    '"%x %X %o %#x %#X %#o %#o %#x", -1, 255, 8, 255, 255, 8, 0, 0',
    '"[%5d][%-5d][%05d][%+d][% d][%+5d][%-+5d]", 42, 42, 42, 42, 42, -42, 42',
    '"[%.3d][%8.3d][%-8.3d][%08.3d][%.0d][%.0x][%.d]", 7, -7, 7, 7, 0, 0, 0',
    '"%hhd %hd %ld %lld %hhu %hu %lu %llu", 300, 70000, -1L, -1LL, 300, 70000, 1UL, ~0ULL',
    '"%zu %zd %jd %td", sizeof(int), (long)-3, -4LL, (long)5',
    '"%c%c[%3c][%-3c]", 65, 0x142, 66, 67',
    '"%s|%5s|%-5s|%.2s|%5.1s|%.0s", "abc", "ab", "ab", "abcdef", "xyz", "xyz"',
    '"%*d|%-*d|%*d|%.*d|%.*d|%.*s|%*s", 5, 1, 5, 2, -5, 3, 3, 4, -1, 5, 2, "abc", 4, "z"',
    '"%#010x|%#-10x|%+.4d|% 05d|%-05d", 255, 255, 3, 4, 5',
    '"100%%%d%%", 1',
    '"%lld %llx %llo", (-9223372036854775807LL - 1), 1ULL << 63, ~0ULL',
    '"no conversion at all"',
    '"ends\\0here"',
    '"%f|%.2f|%8.3f|%-8.1f|%+f|%08.2f|%.0f|%#.0f", 1.5, 3.14159, -2.5, 0.05, 1e6, -3.75, 2.5, 3.5',
    '"%e|%.0e|%.3E|%g|%G|%#g", 12345.678, 5e-324, -0.000123, 0.0001, 1e-5, 2.0',
    '"%g %g %g %g %g %.15g %.17g", 100000.0, 1e6, 123456789.0, 0.0, -0.0, 0.1, 0.1',
    '"%f %e %G %5g|%-6f|", 1.0 / 0.0, -1.0 / 0.0, 0.0 * (1.0 / 0.0) > 0 ? 1.0 : 1.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0',
    '"%.20f %.3g %.10g", 0.1, 999.5, 9999999999.5',
    '"%.0f %.0f %.0f %.1f %.1f %.2e", 0.5, 1.5, 99.5, 0.25, 0.35, 9.995',
    '""',
)
_HASH = """static unsigned hash(const char *s, int n, int size) {
  unsigned h = (unsigned)n;
  for (int i = 0; i < size; i++) h = h * 31 + (unsigned char)s[i];
  return h;
}"""


def _program(known: bool) -> str:
    """A program that adds up what it prints; where the format is not known at the call, the body reads it."""
    lines = ["#include <stdio.h>", "#include <string.h>", "long long result;", _HASH, "int main(void) {"]
    for size in (64, 9, 1, 0):
        for call in _CALLS:
            format, *rest = call.split('", ', 1)
            text = format if format.endswith('"') and not rest else format + '"'
            given = f", {rest[0]}" if rest else ""
            use = text if known else f"(*(const char *volatile *)(const char *[]){{{text}}})"
            lines.append(f"{{ char b[64]; memset(b, 7, 64); int n = snprintf(b, {size}, {use}{given});")
            lines.append("result = (result * 7 + hash(b, n, 64)) % 1000000007; }")
    return "\n".join([*lines, "return 0; }"])


@needs_compiler
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_texts_are_those_of_the_library_of_the_machine(known: bool, data_model: DataModel, tmp_path: Path) -> None:
    text = _program(known)
    flag = "-m64" if data_model == "LP64" else "-m32"
    assert result_of(tmp_path, text, data_model=data_model) == compiled_result(tmp_path, text, flag)


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        ('snprintf(b, sizeof b, "%s;%s", b, "v")', "unknown"),
        ('sprintf(b, "%sx", b)', "unknown"),
        ('sprintf(b + 4, "%s", b)', "safe"),
        ('sprintf(b, "%s", c)', "safe"),
        ("snprintf(b, 0, f, b)", "safe"),
    ],
)
def test_what_is_printed_is_apart_from_where_it_goes(call: str, verdict: str) -> None:
    """Compiled code does not show the overlap, so it is never said to be violated, and never to hold."""
    objects = 'char b[32] = "k=1", c[4] = "abc", *f = "%s";'
    text = f"#include <stdio.h>\nint main(void) {{ {objects} CALL; return c[0] == f[0]; }}\n"
    [answer] = pincer.check_text(text.replace("CALL", call), "c", property="memory", timeout=60).properties
    assert answer.verdict == verdict
