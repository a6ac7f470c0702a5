"""What is printed and read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.msvl.from_c.translated_c import ran


def test_what_is_printed_is_formatted_as_in_c(tmp_path: Path) -> None:
    text = r"""#include <stdio.h>
    int main(void) { int n = -1; char s[] = "ab";
      printf("%d|%5d|%-3d|%u|%x|%c|%s|%s|%%|%.2f\n", n, 42, 7, n, n, 'z', s, "lit", 2.5); puts(s); putchar('!'); }"""
    assert ran(text, tmp_path).printed == "-1|   42|7  |4294967295|ffffffff|z|ab|lit|%|2.50\nab\n!"


INPUTS = """\
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); unsigned __VERIFIER_nondet_uint(void);
"""


@pytest.mark.parametrize(
    ("text", "inputs", "expected"),
    [
        ("int r; int main(void) { r = __VERIFIER_nondet_int(); }", {"s_r": 5}, 5),
        ("int r; int main(void) { int x = __VERIFIER_nondet_int(); r = x + 1; }", {"s_main_x": 5}, 6),
        ("int r; int main(void) { r = __VERIFIER_nondet_uchar(); }", {"s_main_temp$_1": -1}, 255),
        ("unsigned r; int main(void) { r = __VERIFIER_nondet_uint(); }", {"s_main_temp$_1": (1 << 32) + 9}, 9),
        ("long r; int main(void) { r = __VERIFIER_nondet_int(); }", {"s_main_temp$_1": (1 << 31) + 5}, -(1 << 31) + 5),
    ],
)
def test_inputs_have_the_values_of_their_c_types(
    text: str, inputs: dict[str, int], expected: int, tmp_path: Path
) -> None:
    assert ran(INPUTS + text, tmp_path, inputs).final("r") == expected
