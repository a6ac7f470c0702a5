"""`goto *pointer`: to labels whose address is used, as in compiled code."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from tests.frontends.c.compiled_c import assert_same_result, needs_compiler
from tests.frontends.c.lowered_c import lowered, outcome

MACHINE = """
long long result;
int run(const unsigned char *p) {
    static void *const table[] = {&&add, &&twice, [4] = &&end, [3] = &&back};
    int a = 1, rounds = 0;
    goto *table[*p];
add: a++; goto *table[*++p];
twice: { int b = a; a = b + b; } goto *table[*++p];
back: if (rounds++ < 2) { p -= 2; goto *table[*p]; } p++; goto *table[*p];
end: return a;
}
int near(const unsigned char *p) {
    static const int table[] = {&&add - &&add, &&less - &&add, &&end - &&add};
    int a = 10; goto *(&&add + table[*p]);
add: a += 3; p++; goto *(&&add + table[*p]);
less: a -= 4; p++; goto *(&&add + table[*p]);
end: return a;
}
int local(int n) { void *p = n ? &&yes : &&no; if (p == &&no) n = 7; goto *p; yes: return n + 1; no: return n + 2; }
"""
BODIES = [
    "unsigned char p[] = {0, 1, 0, 1, 3, 0, 4}; result = run(p);",
    "unsigned char p[] = {0, 1, 1, 0, 2}; result = near(p);",
    "result = local(0) * 100 + local(5);",
    "int i = 0; again: result += i; void *p = i++ < 5 ? &&again : &&done; goto *p; done: result *= 2;",
]


@needs_compiler
@pytest.mark.parametrize("body", BODIES)
def test_computed_jumps_are_as_in_compiled_code(body: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, f"{MACHINE} int main(void) {{ {body} return 0; }}")


def test_a_jump_to_no_label_of_the_function_is_undefined(tmp_path: Path) -> None:
    text = """void *kept; void f(void) { kept = &&here; here: ; }
    int main(void) { f(); void *own = &&there; goto *kept; there: return own != 0; }"""
    end = outcome(tmp_path, text)
    assert (end.stop.kind, end.stop.message) == ("check", "kept is no label of main")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { void *p = &&nowhere; goto *p; }", "there is no label `nowhere`"),
        ("void *p = &&l; int main(void) { l: return p != 0; }", "there are no labels outside of functions"),
    ],
)
def test_mistakes_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=message):
        lowered(tmp_path, text)
