"""The checker walks the only path of a program without inputs by itself, and gives up where anything is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.straight import UNKNOWN, Wrong, is_harmless
from pincer.evidence.c_proof.straight_terms import Unsettled
from pincer.execution.straight_memory import NeedsInput
from pincer.execution.straight_run import StraightRun
from pincer.program.property import SequentialKind
from tests.frontends.c.lowered_c import lowered
from tests.fuzz.c.generator import generate

HEAD = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"


def _is_harmless(folder: Path, text: str, kind: SequentialKind = "assertions", most: int = 1_000_000) -> bool:
    return is_harmless(ProgramFacts(lowered(folder, HEAD + text), kind), most, lambda: None)


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { int s = 0; for (int i = 0; i < 300; i++) s += i; if (s != 44850) reach_error(); return 0; }",
        "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nint main(void) { if (f(9) != 34) reach_error(); }",
        "int main(void) { int *p = malloc(8); p[0] = 3; int *q = p; if (q[0] / -2 != -1) reach_error(); free(p); }",
        "struct s { char c; int i; }; int main(void) { struct s a, b; a.c = 1; b = a; if (b.c != 1) reach_error(); }",
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 2; y++; if (y != 3) reach_error(); }",
        "int a[2]; int main(void) { a[0] = __VERIFIER_nondet_int() * 2 + 1; a[1] = 7; if (a[1] != 7) reach_error(); }",
        "int main(void) { int *p = malloc(4); int x = *p + 1; p[0] = 2; if (*p != 2) reach_error(); return x; }",
    ],
)
def test_harmless_paths(tmp_path: Path, text: str) -> None:
    assert _is_harmless(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("int main(void) { reach_error(); }", "assertions"),
        ("int main(void) { int z = 0; return 4 / z; }", "memory"),
        ("int main(void) { int *p = malloc(4); free(p); *p = 1; return 0; }", "memory"),
        ("int main(void) { char a[4]; int i = 4; a[i] = 1; return 0; }", "memory"),
    ],
)
def test_paths_that_go_wrong(tmp_path: Path, text: str, kind: SequentialKind) -> None:
    with pytest.raises(Wrong):
        _is_harmless(tmp_path, text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { if (__VERIFIER_nondet_int()) return 1; return 0; }",
        "int main(void) { int *p = malloc(4); if (*p) reach_error(); return 0; }",
        "int main(void) { int a[3]; a[0] = 1; return a[a[1]]; }",
        "int a[2]; int main(void) { a[0] = __VERIFIER_nondet_int(); int b = a[0] * 2; if (b) reach_error(); }",
        "double d; int main(void) { d = __VERIFIER_nondet_int(); if (d * 2 > 1) reach_error(); }",
        "int main(void) { for (;;) ; }",
    ],
)
def test_what_is_not_known_is_left_to_the_walk_with_symbols(tmp_path: Path, text: str) -> None:
    assert not _is_harmless(tmp_path, text, most=10_000)


def test_errors_of_the_other_property_end_the_path(tmp_path: Path) -> None:
    assert _is_harmless(tmp_path, "int main(void) { reach_error(); }", "memory")
    assert _is_harmless(tmp_path, "int main(void) { int z = 0; return 4 / z; }", "assertions")


def test_random_programs_are_walked_as_far_as_they_run(tmp_path: Path) -> None:
    for seed in range(12):
        program = lowered(tmp_path, generate(seed, size=4))
        facts = ProgramFacts(program, "memory")
        try:
            stop = StraightRun(program).run(1_000_000, lambda: None)
        except NeedsInput:
            continue
        assert stop is not None and stop.kind == "halt"
        assert is_harmless(facts, 10_000_000, lambda: None)


def test_what_is_computed_from_a_value_that_is_not_known_is_not_known() -> None:
    for value in (UNKNOWN == 0, UNKNOWN >= 5, 3 - UNKNOWN, (UNKNOWN & 0) * 2, 1 << UNKNOWN, ~5 ^ UNKNOWN):
        assert value is UNKNOWN


def test_nothing_is_decided_by_a_value_that_is_not_known() -> None:
    looks = (lambda: not UNKNOWN, lambda: 1 if UNKNOWN < 5 else 2, lambda: [1, 2][UNKNOWN], lambda: UNKNOWN in (1, 2))
    for look in looks:
        with pytest.raises(Unsettled):
            look()
    with pytest.raises(TypeError):
        hash(UNKNOWN)
