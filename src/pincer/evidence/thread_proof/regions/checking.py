"""The checker of proofs by regions: they fit the threads, nothing is left out, and their product has a proof."""

from __future__ import annotations

from collections.abc import Callable

from pincer.errors import PincerError
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof.obligations import ClaimWriter
from pincer.evidence.thread_proof.regions.claim import RegionProof
from pincer.evidence.thread_proof.regions.footprints import Footprints
from pincer.evidence.thread_proof.regions.frozen import Frozen
from pincer.evidence.thread_proof.regions.inner import inner_places
from pincer.evidence.thread_proof.regions.product import RegionProduct
from pincer.evidence.thread_proof.regions.shape import check_shape
from pincer.runtime.run import Run


def check_regions(
    claims: ClaimWriter, proof: RegionProof, refuted: Callable[[Node], bool], budget: Budget, run: Run
) -> CheckResult:
    """What there is to say about regions. Raises PincerError where they do not even fit.

    `claims` knows what holds where threads are; `refuted` says whether a solver shows that a formula has no model."""
    system, program = claims.system, claims.encoder.program
    if proof.proof.property != "assertions":
        raise PincerError("the product of the regions is proved to have another property")
    if proof.proof.merged is not None:
        # Merging follows the loops of a program as people write them; those of a product may have two entries.
        raise PincerError("the product of the regions is proved by merging, which is for loops with one entry")
    check_shape(system, proof.regions)
    product = RegionProduct(program, system, proof.regions)
    frozen = frozen_threads(claims, product, refuted)
    for number, region in enumerate(proof.regions):
        run.poll()
        problem = frozen.problem(region)
        if problem is not None:
            raise PincerError(f"in region {number} more threads have to move: {problem}")
    return check_proof(product.program(), proof.proof, budget, run=run)


def frozen_threads(claims: ClaimWriter, product: RegionProduct, refuted: Callable[[Node], bool]) -> Frozen:
    """What tells whether threads may stand still."""
    inner = tuple(inner_places(thread, product.registers) for thread in claims.system.threads)
    return Frozen(claims.system, product.objects, Footprints(claims, refuted), inner)
