"""Programs with a few single threads, and what the modules about regions make of them."""

from __future__ import annotations

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.products.addresses import known_addresses
from pincer.engines.products.proving import ProductProver
from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.checker import CheckResult
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.thread_proof.checker import check_thread_proof, claim_writer, unsigned_certificate
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.regions.checking import frozen_threads
from pincer.evidence.thread_proof.regions.claim import Region, RegionProof
from pincer.evidence.thread_proof.regions.footprints import Footprints
from pincer.evidence.thread_proof.regions.frozen import Frozen
from pincer.evidence.thread_proof.regions.product import RegionProduct
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.threaded_system import Move, ThreadedSystem
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import lowered

BOTH = """
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  AFTER
}
"""
LOCKSTEP = """
int n, a, b;
void *f(void *x) { for (int k = 0; k < n; k++) a += k; return 0; }
void *g(void *x) { for (int k = 0; k < n; k++) b += k; return 0; }
""" + BOTH.replace("pthread_t p, q;", "pthread_t p, q; n = __VERIFIER_nondet_int();").replace(
    "AFTER", "assert(a == b);"
)


class Known(Struct, frozen=True):
    """A program, its threads, and what can be asked about their moves."""

    system: ThreadedSystem
    product: RegionProduct
    frozen: Frozen

    @property
    def footprints(self) -> Footprints:
        return self.frozen.footprints

    def moves(self, thread: int) -> tuple[Move, ...]:
        return self.system.threads[thread].moves

    def problem(self, at: tuple[str, ...], move: tuple[int, ...], held: tuple[tuple[int, int], ...] = ()) -> str | None:
        return self.frozen.problem(Region(at, move, (), held))

    def place_before(self, thread: int, label: type) -> str:
        """Where a thread is about to make its first move with such a label."""
        return next(str(move.source) for move in self.moves(thread) if isinstance(move.label, label))


def known(text: str, with_addresses: bool = True) -> Known:
    program = lowered(text)
    system = unfolded(program, False)
    outline = Outline()
    if with_addresses:
        guessing = known_addresses(program, system, Run())
        while True:
            try:
                next(guessing)
            except StopIteration as ended:
                outline = ended.value
                break
    script = Script()
    claims = claim_writer(program, system, outline, script, False)
    product = RegionProduct(program, system, ())
    return Known(system, product, frozen_threads(claims, product, Asking(script, Budget(), Run()).has_no_model))


@cache
def proved(text: str) -> tuple[ProductProver, RegionProof | None]:
    """What the prover finds, after its way through the text of a certificate."""
    prover = ProductProver(lowered(text), False, Run())
    attempt = prover.attempt()
    while True:
        try:
            next(attempt)
        except StopIteration as ended:
            return prover, ended.value


def checked(text: str, prover: ProductProver, proof: RegionProof) -> CheckResult:
    assert prover.system is not None
    whole = unsigned_certificate(lowered(text), prover.system, prover.outline, "assertions", False)
    written = ThreadCertificate.from_json(replace(whole, regions=proof).to_json())
    return check_thread_proof(lowered(text), written)
