"""A region and an execution become a run of the program as it is written, calls and all."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.task import Refuted
from pincer.engines.termination.endless_runs import loop_position
from pincer.engines.termination.limits import LIMITS
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


def test_a_loop_is_at_its_decision_or_at_what_comes_first_in_it(tmp_path: Path) -> None:
    first = ending(tmp_path, "int main(void) { }").procedures["main"].position.line
    for text, line in (("{\n while (1)\n ;\n}", 2), ("{ int x = 0;\n for (;;)\n x++; }", 3)):
        program = ending(tmp_path, f"int main(void) {text}")
        main = program.procedures["main"]
        [head] = main.loop_heads
        assert loop_position(main, head).line == first + line - 1
