"""Random threaded programs through the explorer of the checker, against brute force.

What it accepts must be true; and where nothing is wrong with a program, and nothing undefined happens, it must accept
that, unless it says that it comes to a limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.explore import Exploring, ThreadExplorer
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

from .interpreter import Outcomes
from .loading import load_all
from .sampling import draw

KINDS: tuple[PropertyKind, ...] = ("assertions", "race", "deadlock", "memory")


def judge_explorations(seeds: range, tally: Counter[str]) -> Iterator[str]:
    """What the explorer sees otherwise than brute force, one sentence each."""
    samples = [draw(seed) for seed in seeds]
    for sample, lowered in zip(samples, load_all([sample.program for sample in samples]), strict=True):
        for kind in KINDS:
            wrong = _is_wrong(sample.outcomes, kind)
            found, why = explored(lowered, kind, sample.program.spurious)
            tally[f"{found}, {'wrong' if wrong else 'right'}"] += 1
            if found != "unexplored" and (found == "accepted") == wrong:
                yield f"seed {sample.seed}: {kind} is {found} ({why})"


def _is_wrong(outcomes: Outcomes, kind: PropertyKind) -> bool:
    """Undefined behaviour is refused, whatever is asked."""
    found = {"assertions": outcomes.fails, "race": outcomes.races, "deadlock": outcomes.deadlocks}
    return outcomes.misuse or found.get(kind, False)


def explored(program: ControlFlowProgram, kind: PropertyKind, spurious: bool) -> tuple[str, str]:
    """What the explorer says of a program, and why."""
    script, run = Script(), Run()
    asking = Asking(script, Budget(), run)
    try:
        ThreadExplorer(Exploring(program, kind, spurious), script, asking.has_no_model, run.poll).explore()
    except ExplorationRefused as refused:
        return "refused", str(refused)
    except Unexplored as limit:
        return "unexplored", str(limit)
    return "accepted", ""
