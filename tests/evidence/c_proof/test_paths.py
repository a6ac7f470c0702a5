"""The checker of proofs by exploration follows all paths by itself, and refuses what is not as claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.paths import Paths
from pincer.frontends.c.load import load
from pincer.program.property import SequentialKind

HEADER = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <stdlib.h>
"""
PLENTY = Paths(1_000, 100_000)


def judged(
    folder: Path, text: str, paths: Paths = PLENTY, kind: SequentialKind = "assertions", data_model: str = "LP64"
) -> CheckResult:
    file = folder / "program.c"
    file.write_text(HEADER + text)
    program = load(file, data_model="ILP32" if data_model == "ILP32" else "LP64")
    claim = ProofCertificate(program.file, "", data_model, program.entry, kind, "test", paths=paths)
    return check_proof(program, ProofCertificate.from_json(claim.to_json()))


HARMLESS = {
    "no error": "int main(void) { return 0; }",
    "an error that inputs exclude": """
        int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); }""",
    "operations on constants": """
        int main(void) {
            int a = -7, b = 2; unsigned c = 0x80000001u;
            if (a / b != -3 || a % b != -1 || a >> 1 != -4 || c >> 1 != 0x40000000u || c << 1 != 2u) reach_error();
            if (c / 3 != 0x2aaaaaabu || c % 3 != 0 || (a ^ b) != -5 || (a | b) != -5 || (a & 3) != 1) reach_error();
            if (a > b || c < 5u || (signed char)200 != -56 || (unsigned char)-1 != 255) reach_error();
        }""",
    "memory that is freed": """
        int main(void) { int *p = malloc(4); if (!p) return 0; *p = 5; if (*p != 5) reach_error(); free(p); }""",
}


@pytest.mark.parametrize("kind", ["assertions", "memory"])
@pytest.mark.parametrize("name", HARMLESS)
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
def test_a_harmless_program_is_accepted(tmp_path: Path, name: str, kind: SequentialKind, data_model: str) -> None:
    checked = judged(tmp_path, HARMLESS[name], kind=kind, data_model=data_model)
    assert checked.accepted, checked.refused


HARMFUL: dict[str, tuple[SequentialKind, str, str]] = {
    "a call of reach_error": (
        "assertions", "int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); }", "may be reached"),
    "an error in a callee": (
        "assertions", "void f(int x) { if (x == 3) reach_error(); } int main(void) { f(1); f(3); }", "may be reached"),
    "a null pointer": ("memory", "int main(void) { int *p = 0; *p = 1; }", "go wrong"),
    "an index": ("memory", "int a[4]; int main(void) { return a[__VERIFIER_nondet_int() & 7]; }", "go wrong"),
    "use after free": ("memory", "int main(void) { int *p = malloc(4); if (p) { free(p); *p = 1; } }", "go wrong"),
    "something not modelled": (
        "memory", 'int main(void) { int x = __VERIFIER_nondet_int(); if (x) __asm__("cpuid"); }', "not modelled"),
    "undefined contents": (
        "assertions", "int main(void) { int *p = malloc(4); if (p && *p == 9) reach_error(); }", "may be reached"),
    "a stale register of an earlier call": (
        "assertions",
        "int f(int x) { int y; if (x) y = 1; return y; } int main(void) { f(1); if (f(0) != 1) reach_error(); }",
        "may be reached",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HARMFUL)
def test_a_harmful_program_is_refused_whatever_the_proof_claims(tmp_path: Path, name: str) -> None:
    kind, text, message = HARMFUL[name]
    checked = judged(tmp_path, text, kind=kind)
    assert not checked.accepted and message in checked.refused[0]


INDEXED = """
int a[4];
int main(void) { int k = __VERIFIER_nondet_int(); if (k < 0 || k > 3) return 0; if (a[k]) reach_error(); }
"""


def test_values_of_addresses_that_the_proof_does_not_list_are_noticed(tmp_path: Path) -> None:
    checked = judged(tmp_path, INDEXED)
    assert not checked.accepted and "values that are not listed" in checked.refused[0]


def test_an_endless_path_is_refused(tmp_path: Path) -> None:
    checked = judged(tmp_path, "int main(void) { for (;;) ; }", Paths(1, 100))
    assert not checked.accepted and "longer ones" in checked.refused[0]


GUARDED = """
struct node { struct node *next; int value; };
int main(void) {
    struct node last = {0, 7}, first = {&last, 2}, *p = __VERIFIER_nondet_int() ? &first : 0;
    if (p && p->next && p->next->value != 7) reach_error();
}
"""


def test_what_a_guard_excludes_is_not_read(tmp_path: Path) -> None:
    checked = judged(tmp_path, GUARDED)
    assert checked.accepted, checked.refused


def test_a_large_block_is_filled_at_once(tmp_path: Path) -> None:
    text = """
    #include <string.h>
    char a[100000];
    int main(void) { memset(a, 1, sizeof a); if (a[77] != 1) reach_error(); }"""
    checked = judged(tmp_path, text)
    assert checked.accepted, checked.refused
