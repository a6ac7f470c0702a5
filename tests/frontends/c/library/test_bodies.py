"""The C library's bodies: complete by themselves, and in agreement with the library of the machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Literal

import pytest

from pincer.frontends.c.library.bodies import ASSUMED, library_functions, library_source
from pincer.frontends.c.load import load
from pincer.frontends.c.syntax.parse import parse
from tests.execution.interpreted import interpret


def defined(text: str) -> list[str]:
    return [item.decl.name for item in parse(Path("library.c"), text).ast.ext if hasattr(item, "body")]


def test_only_what_is_asked_for_gets_its_own_name() -> None:
    assert defined(library_source(["strlen"])) == ["strlen"]
    assert set(defined(library_source(["strcat"]))) == {"strcat", "__library_strcpy", "__library_strlen"}
    assert set(defined(library_source(["strcat", "strlen"]))) == {"strcat", "__library_strcpy", "strlen"}


def test_unknown_functions_are_ignored() -> None:
    assert library_source(["no_such_function", "main"]) == ""


@pytest.mark.parametrize("bits", [32, 64])
def test_all_of_it_parses_beside_a_program_that_has_size_t(bits: Literal[32, 64]) -> None:
    text = "#include <stddef.h>\nint main(void) { return 0; }\n"
    unit = parse(Path("program.c"), text, bits, extra=library_source(library_functions()))
    defined = {item.decl.name for item in unit.ast.ext if hasattr(item, "body")}
    objects = {getattr(item, "name", None) for item in unit.ast.ext}
    assert defined | objects >= library_functions()


def test_assumptions_speak_of_functions_that_exist() -> None:
    assert set(ASSUMED) <= library_functions()


DRIVER = r"""
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int bad;
static void same(const char *what, long long ours, long long theirs) {
  if (ours != theirs) {
    printf("%s: %lld is not %lld\n", what, ours, theirs);
    bad = 1;
  }
}
#define SAME(f, ...) same(#f, (long long)our_##f(__VA_ARGS__), (long long)f(__VA_ARGS__))
static int sign(int value) { return (value > 0) - (value < 0); }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static unsigned state = 1;
static unsigned draw(unsigned n) { state = state * 1103515245u + 12345u; return (state >> 16) % n; }
static void text(char *s) {
  unsigned length = draw(8);
  for (unsigned i = 0; i < length; i++) s[i] = " -+0x19afFzB"[draw(12)];
  s[length] = 0;
}

int main(void) {
  for (int c = -1; c < 256; c++) {
    SAME(isalnum, c); SAME(isalpha, c); SAME(isblank, c); SAME(iscntrl, c); SAME(isdigit, c); SAME(isgraph, c);
    SAME(islower, c); SAME(isprint, c); SAME(ispunct, c); SAME(isspace, c); SAME(isupper, c); SAME(isxdigit, c);
    SAME(tolower, c); SAME(toupper, c);
  }
  for (int round = 0; round < 20000; round++) {
    char a[40], b[16], c[40], *p, *q;
    text(a); text(b);
    unsigned n = draw(10);
    int bits = (int)(draw(65536) << draw(17));
    SAME(strlen, a); SAME(strnlen, a, n);
    same("strcmp", sign(our_strcmp(a, b)), sign(strcmp(a, b)));
    same("strncmp", sign(our_strncmp(a, b, n)), sign(strncmp(a, b, n)));
    same("strcasecmp", sign(our_strcasecmp(a, b)), sign(strcasecmp(a, b)));
    same("strncasecmp", sign(our_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
    same("memcmp", sign(our_memcmp(a, b, 8)), sign(memcmp(a, b, 8)));
    SAME(strchr, a, b[0]); SAME(strrchr, a, b[0]); SAME(strstr, a, b); SAME(memchr, a, b[0], 8);
    SAME(strspn, a, b); SAME(strcspn, a, b); SAME(strpbrk, a, b); SAME(ffs, bits);
    int base = n == 1 ? 10 : (int)n;
    same("strtol", our_strtol(a, &p, base), strtol(a, &q, base)); same("end", p - a, q - a);
    same("strtoul", our_strtoul(a, &p, 0), strtoul(a, &q, 0)); same("end", p - a, q - a);
    same("strtoll", our_strtoll(a, &p, 36), strtoll(a, &q, 36)); same("end", p - a, q - a);
    same("strtoull", our_strtoull(a, &p, 16), strtoull(a, &q, 16)); same("end", p - a, q - a);
    SAME(atoi, a); SAME(atol, b);
    memset(c, 'y', sizeof c); char d[40]; memcpy(d, c, sizeof d);
    our_strncpy(c, a, n); strncpy(d, a, n); same("strncpy", memcmp(c, d, sizeof c), 0);
    our_strcpy(c, a); strcpy(d, a); our_strcat(c, b); strcat(d, b); our_strncat(c, a, n); strncat(d, a, n);
    same("strcat", memcmp(c, d, sizeof c), 0);
    unsigned from = draw(10), to = draw(10);
    our_memmove(c + to, c + from, n); memmove(d + to, d + from, n); same("memmove", memcmp(c, d, sizeof c), 0);
    char *copy = our_strndup(a, n); same("strndup", strncmp(copy, a, n), 0); free(copy);
    int u[9], v[9], key = (int)draw(20);
    for (int i = 0; i < 9; i++) u[i] = v[i] = (int)draw(20);
    our_qsort(u, n, sizeof *u, order); qsort(v, n, sizeof *v, order); same("qsort", memcmp(u, v, sizeof u), 0);
    int *hit = our_bsearch(&key, u, n, sizeof *u, order), *want = bsearch(&key, v, n, sizeof *v, order);
    same("bsearch", hit ? *hit : -1, want ? *want : -1);
    text(a); strcpy(c, a); char *s = our_strtok(a, " 0"), *t = strtok(c, " 0");
    while (s && t) { same("strtok", strcmp(s, t), 0); s = our_strtok(0, " 0"); t = strtok(0, " 0"); }
    same("strtok", s != 0, t != 0);
  }
  return bad;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_results_agree_with_the_library_of_the_machine(tmp_path: Path) -> None:
    compared = sorted(library_functions().intersection(re.findall(r"\w+", DRIVER)) - {"printf"})
    ours = re.sub(rf"\b({'|'.join(compared)})\b", r"our_\1", library_source(compared))
    ours = re.sub(r"__pincer_unsupported\(\"[^;]*;", "abort();", ours)
    ours = re.sub(r"\n *__pincer_read_bytes\([^;]*;", "", ours)
    ours = re.sub(r"\n *(__must_be_apart|__too_many_exit_handlers)\([^;]*;", "", ours)
    ours += "int __pincer_pick(const char *what, int low, int high, int usual) { return usual; }\n"
    (tmp_path / "driver.c").write_text(DRIVER.replace("static int bad;", ours + "\nstatic int bad;", 1))
    command = ["gcc", "-w", "-D_GNU_SOURCE", "-O0", "-fno-builtin", "-o", "driver", "driver.c"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    run = subprocess.run(["./driver"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        ('strcmp("c", "a") > 0 && strcmp("a", "c") < 0 && strcmp("a", "a") == 0', "halt"),
        ('memcmp("ab", "ac", 2) < 0 && strncmp("ab", "ac", 1) == 0 && strcasecmp("B", "a") > 0', "halt"),
        ('strcmp("c", "a") == 2', "fail"),
        ('strncmp("a", "b", 1) == -2', "fail"),
    ],
)
def test_of_a_comparison_only_the_sign_is_known(tmp_path: Path, condition: str, kind: str) -> None:
    source = tmp_path / "program.c"
    headers = "#include <string.h>\n#include <strings.h>\n"
    source.write_text(f"{headers}int main(void) {{ if (!({condition})) reach_error(); return 0; }}", encoding="utf-8")
    assert interpret(load(source)).stop.kind == kind


def test_texts_in_bodies_are_not_renamed() -> None:
    text = library_source(["sscanf"])
    assert "read by a format" in text and "__library_read by" not in text
