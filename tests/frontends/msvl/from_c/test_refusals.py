"""What has no exact translation is refused with its place, and mistakes in the C file are told as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError, UnsupportedError
from tests.frontends.msvl.from_c.translated_c import translated

MAIN = "int main(void) { return 0; }"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("int main(void) {\n  goto end;\nend: return 0; }", 2, "`goto`"),
        (f"union u {{ int a; char b; }} x;\n{MAIN}", 1, "a union"),
        (f"struct s {{ int a : 3; }} x;\n{MAIN}", 1, "a bit-field"),
        (f"float x;\n{MAIN}", 1, "`float`"),
        ("int main(void) {\n  double d = 1;\n  d = d + 1.5f;\n}", 3, "`float`"),
        (f"long double x;\n{MAIN}", 1, "`long double`"),
        (f"__int128 x;\n{MAIN}", 1, "128-bit"),
        (f"int f(void);\nint (*p)(void);\n{MAIN}", 2, "a pointer to a function"),
        ("int f(void) { return 1; }\nint main(void) {\n  return (*f)() + (1 ? f : f)(); }", 3, "through a pointer"),
        ("int main(void) {\n  int n = 3;\n  int a[n];\n}", 3, "length is not constant"),
        ("int x;\nint main(void) {\n  char *p = (char *)&x;\n}", 3, "another type"),
        ("int x; void *v = &x;\nint main(void) {\n  int *p = v;\n}", 3, "another type"),
        ("void *v;\nint main(void) {\n  v = v + 1;\n}", 3, "arithmetic on a pointer to `void`"),
        ("int x;\nint main(void) {\n  long n = (long)&x;\n}", 3, "a number and a pointer"),
        ("int *p;\nint main(void) {\n  p = (int *)100;\n}", 3, "as a pointer"),
        ("int a[2][2];\nint main(void) {\n  int (*p)[2] = a;\n}", 3, "a pointer to an array"),
        ("void g(int);\nint main(void) {\n  g(1); }", 3, "no body"),
        ("#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4); }", 3, "`malloc`"),
        ("int main(int argc, char **argv) {\n  return argc; }", 1, "arguments of the program"),
        ("int f(int n, ...) { return n; }\nint main(void) { return f(1); }", 1, "any number of arguments"),
        ("extern int x;\nint main(void) {\n  return x; }", 3, "does not define"),
        ("int main(void) {\n  switch (1) { while (0) { case 1: ; } }\n}", 2, "before its first label"),
        ("int main(void) {\n  switch (1) { case 0:\n while (0) { case 1: ; } }\n}", 3, "inside another statement"),
        ("int main(void) {\n  switch (1) { case 0: break;\n if (0) default: ; }\n}", 3, "inside another statement"),
        ("int main(void) {\n  return ({ 1; });\n}", 2, "StatementExpression"),
        ('#include <stdio.h>\nint main(void) {\n  printf("%p", 0); }', 3, "%p"),
        ('#include <stdio.h>\nint main(void) {\n  int x; return scanf("%d", &x); }', 3, "the result of `scanf`"),
        ('#include <stdio.h>\nint main(void) {\n  char s[9]; scanf("%s", s); }', 3, "`scanf` with the format"),
    ],
)
def test_what_is_not_exact_is_refused_with_its_place(text: str, line: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError) as caught:
        translated(text, tmp_path)
    assert words in caught.value.message
    assert caught.value.position is not None
    assert caught.value.position.line == line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int f(void) { return 0; }", "no function `main`"),
        ("int main(void) { return y; }", "`y` is not declared"),
        ("int main(void) { break; }", "outside a loop"),
        ("int main(void) { int x; return x.y; }", "needs a structure"),
        ("int main(void) { return 1 +; }", ""),
    ],
)
def test_mistakes_are_reported_with_a_place(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError) as caught:
        translated(text, tmp_path)
    assert not isinstance(caught.value, UnsupportedError)
    assert words in caught.value.message
    assert caught.value.position is not None
