"""Random threaded programs through the prover by regions and the checker, against brute force.

Whatever the checker accepts must be true: what the prover finds, and forged proofs. Those are real proofs of products
under careless schedules, in which threads stand still that should not, and proofs in which other threads are said to
move, to hold locks, or to go elsewhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from pincer.engines.products.proving import ProductProver
from pincer.errors import PincerError
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.thread_proof.checker import check_thread_proof, unsigned_certificate
from pincer.evidence.thread_proof.regions.claim import Region, RegionProof, Successor
from pincer.evidence.thread_proof.regions.frozen import Frozen
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run, Stopped

from .loading import load_all
from .sampling import draw

FORGERIES = 4
"""Changed proofs of each program."""
QUESTIONS = 400
"""What a prover may ask about one program."""


class Careless(ProductProver):
    """Lets threads stand still although others need them, now and then."""

    def __init__(self, program: ControlFlowProgram, spurious: bool, dice: random.Random) -> None:
        super().__init__(program, spurious, Run(timeout=60))
        self._dice = dice

    def frozen(self, known: Frozen) -> Frozen:
        dice, often = self._dice, self._dice.choice([0.2, 0.5, 1.0])
        right = known.problem

        def problem(region: Region) -> str | None:
            return None if dice.random() < often else right(region)

        known.problem = problem  # type: ignore[method-assign]
        return known


def judge_regions(seeds: range, tally: Counter[str]) -> Iterator[str]:
    """What the checker accepted although brute force shows otherwise, one sentence each."""
    samples = [draw(seed) for seed in seeds]
    for sample, lowered in zip(samples, load_all([sample.program for sample in samples]), strict=True):
        dice = random.Random(sample.seed)
        wrong = sample.outcomes.fails
        for word in _accepted(lowered, sample.program.spurious, dice, tally):
            tally[f"{word} accepted, {'wrong' if wrong else 'right'}"] += 1
            if wrong:
                yield f"seed {sample.seed}: {word} proof by regions accepted"


def _accepted(program: ControlFlowProgram, spurious: bool, dice: random.Random, tally: Counter[str]) -> Iterator[str]:
    provers = {
        "a found": ProductProver(program, spurious, Run(timeout=60)),
        "a careless": Careless(program, spurious, dice),
    }
    for word, prover in provers.items():
        proof = run_prover(prover)
        if proof is None:
            tally[f"{word} proof: none"] += 1
            continue
        tally[f"{word} proof"] += 1
        if _check(program, prover, proof, spurious):
            yield word
        elif word == "a found":
            tally["found, not accepted"] += 1
        for _ in range(FORGERIES):
            tally["forged"] += 1
            if _check(program, prover, forgery(proof, dice), spurious):
                yield "a forged"


def run_prover(prover: ProductProver) -> RegionProof | None:
    attempt = prover.attempt()
    try:
        while prover.questions < QUESTIONS:
            next(attempt)
    except StopIteration as ended:
        found: RegionProof | None = ended.value
        return found
    except Stopped:
        pass
    return None


def _check(program: ControlFlowProgram, prover: ProductProver, proof: RegionProof, spurious: bool) -> bool:
    assert prover.system is not None
    whole = unsigned_certificate(program, prover.system, prover.outline, "assertions", spurious)
    try:
        written = ThreadCertificate.from_json(replace(whole, regions=proof).to_json())
    except PincerError:
        return False
    return check_thread_proof(program, written).accepted


def forgery(proof: RegionProof, dice: random.Random) -> RegionProof:
    """A proof that says something else about one region or two."""
    regions = list(proof.regions)
    for _ in range(dice.randint(1, 2)):
        number = dice.randrange(len(regions))
        regions[number] = dice.choice([_moved, _held, _elsewhere])(regions[number], regions, dice)
    return RegionProof(tuple(regions), proof.proof)


def _moved(region: Region, regions: list[Region], dice: random.Random) -> Region:
    """Others move, or fewer."""
    some = [thread for thread in range(len(region.at)) if dice.random() < 0.4]
    return replace(region, move=tuple(some))


def _held(region: Region, regions: list[Region], dice: random.Random) -> Region:
    locks = sorted({lock for other in regions for lock, _ in other.held})
    thread = dice.randrange(len(region.at))
    return replace(region, held=(*region.held, *((lock, thread) for lock in locks[:1])))


def _elsewhere(region: Region, regions: list[Region], dice: random.Random) -> Region:
    """A move leads to another region with the same places, if there is one."""
    then = [
        Successor(
            item.thread, item.move, dice.choice(_same(regions, item.region)) if dice.random() < 0.5 else item.region
        )
        for item in region.then
    ]
    return replace(region, then=tuple(then))


def _same(regions: list[Region], number: int) -> list[int]:
    return [other for other, region in enumerate(regions) if region.at == regions[number].at]
