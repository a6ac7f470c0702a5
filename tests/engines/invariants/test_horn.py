"""Horn clauses: what Spacer says is about the procedure's registers, and the same every time."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.invariants.horn import horn_invariants
from pincer.engines.invariants.sight import Sight
from pincer.logic import bitvectors
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import Assign, ControlFlowProgram
from pincer.program.effects import effects
from tests.engines.dash.dash_runs import loaded

LOOP = """
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    while (i < n) { i++; j += 2; }
    assert(j >= i);
}"""


def guesses(program: ControlFlowProgram) -> list[Term]:
    """Formulas that keep the loop from states in which j is below i."""
    procedure = program.procedures["main"]
    [head] = procedure.loop_heads
    assigned = {edge.label.register for edge in procedure.edges if isinstance(edge.label, Assign)}
    i, j = (next(r for r in assigned if str(r.args[0]).endswith(f"::{name}")) for name in "ij")
    bad = negate(bitvectors.compare("bvsle", i, j))
    sight = Sight(procedure, {}, (bad,), program.layout)
    return horn_invariants(sight, {head: [bad]}, effects(program))


def test_guesses_speak_of_the_registers_of_the_loop_and_are_the_same_again(tmp_path: Path) -> None:
    program = loaded(tmp_path, LOOP)
    first = guesses(program)
    assert first and first == guesses(program)
    assert all(formula.variables for formula in first)
