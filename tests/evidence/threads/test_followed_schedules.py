"""Violations that hang on accesses which compilers leave out, take together, or hide in the library: all confirmed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import pincer

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler")

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <string.h>\n"
MAIN = """
int main(int argc, char **argv) {
  pthread_t p;
  BEFORE
  pthread_create(&p, 0, t, 0);
  MEANWHILE
  pthread_join(p, 0);
  AFTER
  return 0;
}
"""

CASES = {
    "a difference that compilers know": (
        "int u, v, flag;\nvoid *t(void *a) {\n  flag = 1;\n  v = u - u;\n  flag = 2;\n  return 0;\n}",
        "", "int a = flag;\n  u = 1;\n  int b = v;\n  assert(a != 1 || b == 0);", "",
    ),
    "a product that compilers know": (
        "int u, flag;\nvoid *t(void *a) {\n  for (int i = 0; i < 3; i++) {\n    int z = u * 0;\n"
        "    flag = flag + 1 + z;\n  }\n  return 0;\n}",
        "", "int a = flag;\n  u = 1;\n  int b = flag;\n  assert(!(a == 1 && b == 2));", "",
    ),
    "an exchange after a load": (
        "atomic_int top;\nint failed;\nvoid *t(void *a) {\n  int o = top;\n"
        "  failed = !atomic_compare_exchange_strong(&top, &o, 1);\n  return 0;\n}",
        "", "top = 5;", "assert(!failed);",
    ),
    "an operator that is a loop around an exchange": (
        "atomic_int x = 3;\nvoid *t(void *a) {\n  x *= 2;\n  return 0;\n}",
        "", "int old = x;\n  x = old + 1;", "assert(x == 8 || x == 7);",
    ),
    "a copy of a length that is not constant": (
        "char from[8], to[8];\nunsigned n;\nvoid *t(void *a) {\n  memcpy(to, from, n);\n  return 0;\n}",
        "n = (unsigned)argc;\n  if (n != 3) return 0;\n  from[0] = from[1] = 1;",
        "from[0] = 2;\n  from[1] = 2;", "assert(!(to[0] == 1 && to[1] == 2));",
    ),
    "texts": (
        'char name[8] = "abc", copy[8];\nvoid *t(void *a) {\n  strcpy(copy, name);\n  return 0;\n}',
        "", "name[0] = 'x';\n  name[1] = 'y';", 'assert(strcmp(copy, "ayc"));',
    ),
    "an argument that is read, and a text that is printed": (
        'char line[16];\nint n;\nvoid *t(void *a) {\n  snprintf(line, sizeof line, "%d", 42);\n  return 0;\n}',
        "", 'if (argc > 1)\n    sscanf(argv[1], "%d", &n);\n'
        '  if (line[0] == \'4\' && line[1] == 0)\n    assert(n != 7);', "",
    ),
    "a circular buffer": (
        "int ring[4], in, out;\nvoid *t(void *a) {\n  ring[in % 4] = ring[(in + 3) % 4] + 1;\n"
        "  in = in + 1;\n  return 0;\n}",
        "ring[3] = 6;", "ring[3] = 1;\n  int seen = in;\n  if (seen)\n    assert(ring[(seen - 1) % 4] == 7);", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_schedule_is_followed(name: str, tmp_path: Path) -> None:
    globals_, before, meanwhile, after = CASES[name]
    main = MAIN.replace("BEFORE", before).replace("MEANWHILE", meanwhile).replace("AFTER", after)
    file = tmp_path / "program.c"
    file.write_text(HEAD + globals_ + main, encoding="utf-8")
    [answer] = pincer.check(file, property="assertions", timeout=60).properties
    assert answer.verdict == "unsafe", answer.reason
    assert answer.evidence is not None and "confirmed by execution" in str(answer.evidence)
