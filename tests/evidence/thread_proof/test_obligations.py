"""The claims of an outline: which there are, and that each excludes what it is about."""

from __future__ import annotations

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import AllClaims, claim_writer
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Fail
from pincer.program.registers import global_register
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import lowered

TEXT = """
int x;
void *f(void *a) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int y = x; assert(y <= 1); return 0; }
"""


def x_is(value: int) -> Term:
    return terms.equal(global_register("x", 32), bitvectors.constant(value, 32))


def open_claims(outline: Outline) -> set[str]:
    """The kinds of claims that do not hold."""
    program = lowered(TEXT)
    system = unfolded(program, False)
    script = Script()
    every = AllClaims(claim_writer(program, system, outline, script, False))
    asking = Asking(script, Budget(), Run())
    found: set[str] = {claim.kind for claim in every.claims.start() if not asking.has_no_model(claim.formula(script))}
    for thread in system.threads:
        for move in thread.moves:
            claims = every.after(thread, move, "nothing else")
            found |= {claim.kind for claim in claims if not asking.has_no_model(claim.formula(script))}
    return found


def test_what_does_not_hold_is_found_by_the_claim_it_is_for() -> None:
    system = unfolded(lowered(TEXT), False)
    main, other = system.threads
    assert open_claims(Outline()) == set()
    assert open_claims(Outline(standing=(x_is(1),))) == {"start"}
    assert open_claims(Outline(standing=(x_is(0),))) == {"sequential"}
    assert open_claims(Outline(assertions={1: {other.entry: (x_is(1),)}})) == {"birth"}
    everywhere = dict.fromkeys(main.places, (x_is(0),))
    assert open_claims(Outline(assertions={0: everywhere})) == {"interference"}


def test_errors_and_what_is_not_modelled_must_be_excluded() -> None:
    program = lowered(TEXT)
    system = unfolded(program, False)
    claims = claim_writer(program, system, Outline(), Script(), False)
    main = system.threads[0]
    [fail] = [move for move in main.moves if isinstance(move.label, Fail)]
    [claim] = claims.harmless(main, fail, "failures")
    assert claim.kind == "harmless" and "y <= 1" in claim.text
    assert list(claims.harmless(main, fail, "nothing else")) == []
