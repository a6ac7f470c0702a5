"""Try to prove that no assertion of a program with threads fails, by regions and a proof of their product."""

from __future__ import annotations

from collections.abc import Generator
from typing import get_args

from msgspec.structs import replace

from pincer.engines.board import Holds
from pincer.engines.outlines.questions import OutlineQuestions
from pincer.engines.products.addresses import known_addresses
from pincer.engines.products.scheduling import Pace, Scheduler
from pincer.engines.sequential import SEQUENTIAL, Choice, attempted
from pincer.errors import PincerError
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.paths import Paths
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.opening import opened
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.regions.checking import frozen_threads
from pincer.evidence.thread_proof.regions.claim import Region, RegionProof
from pincer.evidence.thread_proof.regions.frozen import Frozen
from pincer.evidence.thread_proof.regions.product import RegionProduct
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.threaded_system import ThreadedSystem
from pincer.runtime.run import Run

WITHOUT_MERGING = Choice(tuple(share for share in SEQUENTIAL if not share.strategy.startswith("merged")))
"""All that prove programs without threads, but for merging: loops of products may have two entries."""


class ProductProver:
    """Looks for regions, with threads at one pace after the other. `questions` counts what solvers were asked."""

    def __init__(self, program: ControlFlowProgram, spurious: bool, run: Run) -> None:
        self.program = opened(program)
        self._opened = self.program is not program
        self._spurious = spurious
        self._run = run
        self.questions = 0
        self.system: ThreadedSystem | None = None
        self.outline = Outline()

    def attempt(self) -> Generator[None, None, RegionProof | None]:
        """A proof if one is found. Can be interrupted every now and then."""
        try:
            system = self.system = replace(unfolded(self.program, self._spurious), opened=self._opened)
            if len(system.threads) < 2 or any(thread.several for thread in system.threads):
                return None
            self.outline = yield from known_addresses(self.program, system, self._run)
            tried: list[list[Region]] = []
            for pace in get_args(Pace):
                regions = yield from self._scheduled(system, pace)
                if regions in tried:
                    continue
                tried.append(regions)
                found = yield from self._proved(system, regions)
                if found is not None:
                    return found
        except PincerError:
            return None
        return None

    def _scheduled(self, system: ThreadedSystem, pace: Pace) -> Generator[None, None, list[Region]]:
        script = Script()
        claims = claim_writer(self.program, system, self.outline, script, False)
        questions = OutlineQuestions(script, self._run)
        known: dict[Node, bool] = {}

        def refuted(formula: Node) -> bool:
            if formula not in known:
                known[formula] = questions.refuted((), formula, ()) is None
            return known[formula]

        product = RegionProduct(self.program, system, ())
        frozen = self.frozen(frozen_threads(claims, product, refuted))
        scheduler = Scheduler(self.program, system, product.objects, frozen, pace)
        regions = yield from scheduler.regions()
        self.questions += questions.asked
        return regions

    def frozen(self, known: Frozen) -> Frozen:
        """What tells whether threads may stand still."""
        return known

    def _proved(self, system: ThreadedSystem, regions: list[Region]) -> Generator[None, None, RegionProof | None]:
        product = RegionProduct(self.program, system, regions).program()
        asked = self.questions
        attempt = attempted(product, "assertions", self._run, WITHOUT_MERGING)
        while True:
            try:
                self.questions = asked + next(attempt)
                yield
            except StopIteration as ended:
                answer = ended.value
                break
        return RegionProof(tuple(regions), _certificate(product, answer)) if isinstance(answer, Holds) else None


def _certificate(product: ControlFlowProgram, answer: Holds) -> ProofCertificate:
    execution = answer.execution
    return ProofCertificate(
        product.file,
        "",
        product.layout.data_model,
        product.entry,
        "assertions",
        "",
        answer.proofs[0].id if answer.proofs else "",
        answer.proofs,
        execution if isinstance(execution, Paths) else None,
        cuts=execution if isinstance(execution, CutPointProof) else None,
    )
