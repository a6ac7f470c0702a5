"""Memory that is left behind: what counts as an error, and that engines and the checker agree on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import Claim, EngineTask, Proved, Refuted, Triples
from pincer.evidence.c.failures import FailureKind
from pincer.evidence.c.trace import CTest
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.paths import Paths
from pincer.program.control_flow import ControlFlowProgram, LeftAllocated
from pincer.program.passes import Leaks
from pincer.program.passes.leaks import AT_THE_END
from pincer.runtime.run import Run
from tests.program.passes.passed_programs import seen_by

HEAD = """\
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; } *head;
int *kept;
static void push(int v) { struct node *n = malloc(sizeof *n); n->value = v; n->next = head; head = n; }
"""
DECIDED: dict[str, tuple[str, str]] = {
    # The body of main, with an input n: whether memory may be lost, and whether some may not be freed.
    "int *p = malloc(4); free(p);": ("safe", "safe"),
    "int *p = malloc(4); p = 0;": ("unsafe", "unsafe"),
    "kept = malloc(4);": ("safe", "unsafe"),
    "kept = malloc(4); kept = malloc(4);": ("unsafe", "unsafe"),
    "kept = (int *)((char *)malloc(8) + 4);": ("safe", "unsafe"),
    "kept = (int *)((char *)malloc(8) + 8);": ("unsafe", "unsafe"),
    "int *p = malloc(4); if (n == 9) return 1; free(p);": ("unsafe", "unsafe"),
    "int *p = malloc(4); exit(0);": ("safe", "unsafe"),
    "malloc(4); exit(0);": ("unsafe", "unsafe"),
    "malloc(4); abort();": ("safe", "safe"),
    "malloc(4); while (1) ;": ("safe", "safe"),
    "push(1); push(2); push(n);": ("safe", "unsafe"),
    "push(1); push(2); head = head->next;": ("unsafe", "unsafe"),
    "push(1); push(2); free(head->next); free(head);": ("safe", "safe"),
    "push(1); head->next = head; head = 0;": ("unsafe", "unsafe"),
    "kept = malloc(4); kept = realloc(kept, 8);": ("safe", "unsafe"),
    "kept = malloc(4); realloc(kept, 8);": ("unsafe", "unsafe"),
    "char *s = strdup(\"ab\"); if (n) free(s);": ("unsafe", "unsafe"),
    "free(0); free(calloc(2, 4));": ("safe", "safe"),
    "int *p = malloc(n > 0 && n < 9 ? n : 1); kept = n ? p : p;": ("safe", "unsafe"),
}  # fmt: skip


def decided(program: ControlFlowProgram) -> Claim:
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run(timeout=60))
    return claim


def is_accepted(program: ControlFlowProgram, claim: Proved) -> bool:
    proofs = claim.proof.proofs if isinstance(claim.proof, Triples) else ()
    paths = claim.proof if isinstance(claim.proof, Paths) else None
    main = proofs[0].id if proofs else ""
    return check_proof(
        program,
        ProofCertificate("p.c", "", "LP64", "main", "assertions", "", main=main, proofs=proofs, paths=paths),
    ).accepted


@pytest.mark.parametrize("lost", [True, False])
@pytest.mark.parametrize("body", DECIDED)
def test_what_is_left_behind(tmp_path: Path, body: str, lost: bool) -> None:
    text = f"{HEAD}int main(void) {{ int n = __VERIFIER_nondet_int();\n{body}\nreturn 0; }}\n"
    program = seen_by(tmp_path, text, Leaks(lost))
    claim = decided(program)
    assert claim.verdict == DECIDED[body][0 if lost else 1]
    if isinstance(claim, Proved):
        assert is_accepted(program, claim)
    else:
        assert isinstance(claim, Refuted) and isinstance(claim.run, CTest)
        assert claim.run.failure.kind is (FailureKind.LEAK if lost else FailureKind.UNFREED)


def test_memory_is_lost_where_the_program_allocates_it(tmp_path: Path) -> None:
    text = f'{HEAD}int main(void) {{\n    strdup("ab");\n    return 0;\n}}\n'
    claim = decided(seen_by(tmp_path, text, Leaks()))
    assert isinstance(claim, Refuted) and isinstance(claim.run, CTest)
    assert claim.run.failure.position.line == text[: text.index("strdup(")].count("\n") + 1


def test_a_program_without_a_heap_is_left_as_it_is(tmp_path: Path) -> None:
    program = seen_by(tmp_path, "int main(void) { return 0; }\n", Leaks())
    assert not program.assumptions and not program.initial
    assert not any(isinstance(edge.label, LeftAllocated) for edge in program.edges())


def test_runs_without_an_end_are_an_assumption_where_something_is_repeated(tmp_path: Path) -> None:
    body = "while (__VERIFIER_nondet_int()) { free(malloc(4)); }"
    looping = seen_by(tmp_path, f"{HEAD}int main(void) {{ {body} return 0; }}\n", Leaks())
    straight = seen_by(tmp_path, f"{HEAD}int main(void) {{ free(malloc(4)); return 0; }}\n", Leaks())
    assert AT_THE_END in looping.assumptions and AT_THE_END not in straight.assumptions


def test_a_proof_of_another_program_is_refused(tmp_path: Path) -> None:
    kept = seen_by(tmp_path, f"{HEAD}int main(void) {{ kept = malloc(4); return 0; }}\n", Leaks())
    lost = seen_by(tmp_path, f"{HEAD}int main(void) {{ kept = malloc(4); kept = 0; return 0; }}\n", Leaks())
    claim = decided(kept)
    assert isinstance(claim, Proved)
    assert is_accepted(kept, claim) and not is_accepted(lost, claim)
