"""Times as texts are what the C library of the machine makes of them, by the interpreter, both data models."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.property import DataModel
from tests.frontends.c.compiled_c import compiled_result, needs_compiler
from tests.frontends.c.lowered_c import result_of

PROGRAM = """
#include <string.h>
#include <time.h>
long long result;
static void add(const char *text, size_t n) {
    result = (result * 31 + (long long)n) % 1000000007;
    for (size_t i = 0; i < n; i++) result = (result * 31 + (unsigned char)text[i]) % 1000000007;
}
int main(void) {
    time_t times[] = {0, -1, 951782399, 951782400, 1700000000, 2147483647, -86400, -2000000000};
    const char *formats[] = {
        "%Y-%m-%d %H:%M:%S", "%F %T", "%D %R", "%j|%a|%b|%p|%I|%y", "%%%n%tx", "", "%H:%M:%S and more than fits",
    };
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 7; k++) {
            char b[24];
            memset(b, 7, sizeof b);
            size_t n = strftime(b, sizeof b, formats[k], gmtime(&times[i]));
            add(b, n ? n + 1 : 0);
        }
    return 0;
}
"""


@needs_compiler
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_texts_of_times_are_those_of_the_machine(data_model: DataModel, tmp_path: Path) -> None:
    flag = "-m64" if data_model == "LP64" else "-m32"
    assert result_of(tmp_path, PROGRAM, data_model=data_model) == compiled_result(tmp_path, PROGRAM, flag)
