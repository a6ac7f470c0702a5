"""What claims rest on is a proof by itself, and says nothing that is not needed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pincer.engines.outlines.candidates import Candidates
from pincer.engines.outlines.filtering import GuessFilter
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


def guesses(text: str, *further: Term) -> GuessFilter:
    """What holds of a program."""
    guessed = Candidates(form_of(text), blocks=False).outline()
    return filtered(lowered(text), replace(guessed, standing=(*guessed.standing, *further)))


def errors(made: GuessFilter) -> Iterator[tuple[ClaimWriter, Claim]]:
    """That no assertion fails."""
    for thread in made.system.threads:
        for move in thread.moves:
            writer = made.writer(move)
            for claim in writer.harmless(thread, move, "failures"):
                yield writer, claim


def supporting(made: GuessFilter, claims: list[tuple[ClaimWriter, Claim]]) -> Outline:
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


def supporting_all(text: str, made: GuessFilter) -> Outline:
    """The part that excludes failing assertions; it must be a proof."""
    whole = entries(made.outline)
    part = supporting(made, list(errors(made)))
    assert entries(part) < whole
    assert entries(filtered(lowered(text), part).outline) == entries(part)
    assert checked(text, part).accepted
    return part


def test_the_support_of_claims_is_a_smaller_proof_of_them() -> None:
    """What stands of a variable that no assertion looks at is no part of it."""
    made = guesses(TEXT, one_of(Z, 0, 3))
    assert one_of(Z, 0, 3) in made.outline.standing
    assert one_of(Z, 0, 3) not in supporting_all(TEXT, made).standing


def test_what_holds_when_a_thread_is_born_rests_on_its_creator() -> None:
    worker = "void *f(void *a) { while (1) assert(x == 5); return 0; }"
    main = "int main(void) { pthread_t t; x = 5; pthread_create(&t, 0, f, 0); while (1); }"
    text = f"int x; {worker} {main}"
    part = supporting_all(text, guesses(text))
    assert any(one_of(X, 5) in known for known in part.assertions[0].values())


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
