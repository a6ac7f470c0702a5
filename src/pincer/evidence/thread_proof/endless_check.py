"""Does a run of a program with threads go on for ever, or violate its formula? The checker looks for one by itself.

The claim says which values inputs have. States of executions with these are visited anew, by the explorer's own
meaning of every step, until one stands still for ever or some of them come again on a fair round. The order in which
threads go on is not taken from the claim: compiled code follows it.
"""

from __future__ import annotations

import time

from pincer.errors import PincerError
from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.checker import CheckResult
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.endings import EndingExplorer, check_endless
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused
from pincer.evidence.thread_proof.explore import Exploring
from pincer.evidence.thread_proof.words import WordExplorer, check_violation
from pincer.evidence.threads.trace import ThreadRounds
from pincer.program.control_flow import ControlFlowProgram, Edge, Input
from pincer.runtime.run import Run


def check_endless_threads(
    program: ControlFlowProgram, rounds: ThreadRounds, budget: Budget | None = None, run: Run | None = None
) -> CheckResult:
    """Whether some fair run with the inputs of a claim has no end, or violates the program's formula if it has one."""
    started = time.monotonic()
    script = Script()
    asking = Asking(script, budget or Budget(), run or Run())
    refused: tuple[str, ...] = ()
    visited = 0, 0
    try:
        spurious, refuted = rounds.spurious, asking.has_no_model
        inputs = _inputs(program, rounds)
        explorer: EndingExplorer
        if program.formula:
            explorer = words = WordExplorer(Exploring(program, "temporal", spurious), script, refuted, asking.poll)
            check_violation(words, program, inputs, rounds.fairness)
        else:
            explorer = EndingExplorer(Exploring(program, "termination", spurious), script, refuted, asking.poll)
            check_endless(explorer, inputs, rounds.fairness)
        visited = explorer.states, explorer.moves
    except ExplorationRefused as wrong:
        refused = (f"something is undefined before such a run is found: {wrong}",)
    except PincerError as error:
        refused = (str(error),)
    except RecursionError:
        refused = ("a formula is nested too deeply to be checked",)
    return CheckResult(
        accepted=not refused,
        refused=refused,
        obligations=visited[1],
        solver_calls=asking.calls,
        time_s=time.monotonic() - started,
        remarks=asking.remarks(),
        visited=visited,
    )


def _inputs(program: ControlFlowProgram, rounds: ThreadRounds) -> dict[Edge, int]:
    found: dict[Edge, int] = {}
    for chosen in rounds.chosen:
        procedure = program.procedures.get(chosen.procedure)
        edge = procedure.edges[chosen.edge] if procedure and chosen.edge < len(procedure.edges) else None
        if edge is None or not isinstance(edge.label, Input):
            raise PincerError(f"{chosen.procedure} has no input at its edge {chosen.edge}")
        if chosen.value >> (edge.label.register.sort.width or 1):
            raise PincerError(f"the input at {edge.position} cannot have the value {chosen.value}")
        found[edge] = chosen.value
    return found
