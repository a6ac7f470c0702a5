"""A region and an execution become a run of the program as it is written, calls and all."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.task import Refuted
from pincer.engines.termination.limits import LIMITS
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from tests.engines.termination.loop_programs import CHOSEN, decided, ending

CALLED = """int g;
static int step(int by) {
    while (g != 1000)
        g = by ? 5 : 6;
    return g;
}
int main(void) {
    g = 1000;
    step(0);
    g = 2;
    return step(__VERIFIER_nondet_int());
}"""


def endless(folder: Path, text: str) -> EndlessRun:
    claim = decided(ending(folder, text))
    assert isinstance(claim, Refuted), claim.said
    assert isinstance(claim.run, EndlessRun)
    return claim.run


def test_the_beginning_passes_other_calls_of_the_same_loop(tmp_path: Path) -> None:
    found = endless(tmp_path, CALLED)
    assert [name for name, _ in found.points[0].calls] == ["main"]
    assert found.rounds.loops[0].skipped == 1
    assert found.rounds.count == LIMITS.rounds
    assert found.choices == ()
    assert "g != 1000" in found.again or "g" in found.rounds.loops[0].condition


def test_inputs_of_rounds_are_recorded(tmp_path: Path) -> None:
    found = endless(tmp_path, CHOSEN)
    assert [str(choice.value) for choice in found.choices] == ["0"]
    assert len(found.test.inputs) >= found.rounds.count
    assert found.test.kind == "termination"


ECHO = """int main(void) {
    int x = __VERIFIER_nondet_int();
    while (1) {
        int y = __VERIFIER_nondet_int();
        if (y != x + 1) break;
        x = y + 2;
    }
}"""


def test_inputs_of_rounds_may_follow_the_state(tmp_path: Path) -> None:
    found = endless(tmp_path, ECHO)
    assert [choice.when_read for choice in found.choices] == [True]
    assert found.given == "__VERIFIER_nondet_int() = (unsigned int)x + 1"
    first, *rounds = (value.value for value in found.test.inputs)
    assert rounds[:3] == [(first + 1 + 3 * number) % 2**32 for number in range(3)]
    assert len(rounds) >= found.rounds.count == LIMITS.rounds
    assert check_endless(ending(tmp_path, ECHO), found).accepted


NESTED = """
int x;
void spin(int n) { do { if (n == 3) n = 2; else n--; } while (n > 0); }
int main(void) {
    while (1) {
        x = __VERIFIER_nondet_int();
        if (x == 9) break;
        spin(2);
    }
}
"""


def test_the_loop_that_does_not_end_is_the_one_around_the_others(tmp_path: Path) -> None:
    found = endless(tmp_path, NESTED)
    place = found.test.failure.position
    assert Path(place.file).read_text().splitlines()[place.line - 1].strip() == "while (1) {"


RING = """
struct node { struct node *next; };
int count(struct node *n, int m) { return n && m ? 1 + count(n->next, m) : 0; }
int main(void) { struct node a, b; a.next = &b; b.next = &a; return count(&a, 3); }
"""


def test_a_region_is_told_in_the_words_of_the_source(tmp_path: Path) -> None:
    found = endless(tmp_path, RING)
    assert "a.next == &b" in found.again and "b.next == &a" in found.again and "m" in found.again
    assert not [word for word in ("mem", "room", "0x", "::", "parameter", "ull", "int)n") if word in found.again]
