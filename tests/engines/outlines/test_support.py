"""What claims rest on is a proof by itself, and says nothing that is not needed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pincer.engines.outlines.candidates import Candidates
from pincer.engines.outlines.filtering import Filter
from pincer.engines.outlines.support import Support
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter
from pincer.evidence.thread_proof.outline import Outline
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.registers import global_register
from tests.engines.outlines.outlined_programs import filtered, form_of
from tests.evidence.thread_proof.threaded_programs import COUNTER, checked, lowered

TEXT = COUNTER.replace("int x;", "int x, z;").replace("x = 1; assert", "x = 1; z = 3; assert")
X, Z = global_register("x", 32), global_register("z", 32)


def one_of(register: Term, *values: int) -> Term:
    return terms.disjunction(*(terms.equal(register, bitvectors.constant(value, 32)) for value in values))


def guesses() -> Filter:
    """What holds of the program, with a condition that no claim needs."""
    guessed = Candidates(form_of(TEXT), blocks=False, waits=False).outline()
    return filtered(lowered(TEXT), replace(guessed, standing=(*guessed.standing, one_of(Z, 0, 3))))


def errors(made: Filter) -> Iterator[tuple[ClaimWriter, Claim]]:
    """That no assertion fails."""
    for thread in made.system.threads:
        for move in thread.moves:
            writer = made.writer(move)
            for claim in writer.harmless(thread, move, True):
                yield writer, claim


def supporting(made: Filter, claims: list[tuple[ClaimWriter, Claim]]) -> Outline:
    support = Support(made).outline(claims)
    while True:
        try:
            next(support)
        except StopIteration as ended:
            found: Outline = ended.value
            return found


def entries(outline: Outline) -> set[tuple[object, ...]]:
    """All conditions with the places where they are claimed."""
    places = [(n, p, c) for n, of in outline.assertions.items() for p, known in of.items() for c in known]
    return {*places, *((-1, None, condition) for condition in outline.standing)}


def test_the_support_of_claims_is_a_smaller_proof_of_them() -> None:
    made = guesses()
    assert one_of(Z, 0, 3) in made.outline.standing
    whole = entries(made.outline)
    part = supporting(made, list(errors(made)))
    assert entries(part) < whole
    assert one_of(Z, 0, 3) not in part.standing
    assert entries(filtered(lowered(TEXT), part).outline) == entries(part)
    assert checked(TEXT, part).accepted


def test_the_support_of_nothing_is_nothing() -> None:
    made = filtered(lowered(TEXT), Outline((one_of(X, 0, 1),), {}))
    assert made.outline.standing == (one_of(X, 0, 1),)
    assert entries(supporting(made, [])) == set()


def test_what_a_condition_needs_is_needed_too() -> None:
    """That x is 0 or 3 after a copy of z rests on what stands of z."""
    text = "int x, z; int main(void) { while (1) { x = z; z = 3; assert(x == 0 || x == 3); } }"
    needed = (one_of(X, 0, 3), one_of(Z, 0, 3))
    made = filtered(lowered(text), Outline(needed, {}))
    assert made.outline.standing == needed
    assert set(supporting(made, list(errors(made))).standing) == set(needed)
