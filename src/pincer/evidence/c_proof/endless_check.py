"""Is a run endless, as it is claimed to be? The front of the checkers of such runs."""

from __future__ import annotations

import time

from pincer.errors import PincerError
from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.checker import MOST_REFUSALS, CheckResult
from pincer.evidence.c_proof.cut_points import Refusal
from pincer.evidence.c_proof.endless import EndlessChecker
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.c_proof.endless_word import EndlessWordChecker
from pincer.evidence.c_proof.finite_word import FiniteWordChecker
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Script
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.recursion import with_calls_entered
from pincer.runtime.run import Run


def check_endless(
    program: ControlFlowProgram, found: EndlessRun, budget: Budget | None = None, run: Run | None = None
) -> CheckResult:
    """Whether an execution of the program, in the form that the property is decided on, goes on for ever.

    Where the property is a formula, whether it violates that, by ending or by going on."""
    started = time.monotonic()
    script, run = Script(), run or Run()
    asking = Asking(script, budget or Budget(), run)
    refused: list[str] = []
    claims = 0
    try:
        checker = _checker(program, found, script, asking)
        try:
            checker.check(MOST_REFUSALS)
        except Refusal as refusal:
            refused.append(str(refusal))
        refused += checker.refused
        claims = checker.claims
    except PincerError as error:
        refused.append(str(error))
    except RecursionError:
        refused.append("a formula is nested too deeply to be checked")
    return CheckResult(
        accepted=not refused,
        refused=tuple(refused),
        obligations=claims,
        solver_calls=asking.calls,
        time_s=time.monotonic() - started,
        remarks=asking.remarks(),
    )


def _checker(program: ControlFlowProgram, found: EndlessRun, script: Script, asking: Asking) -> EndlessChecker:
    if not program.formula:
        facts = ProgramFacts(with_calls_entered(program).program, "termination")
        return EndlessChecker(facts, script, found.points, asking.has_no_model, asking.poll, endless=found)
    facts = ProgramFacts(program, "temporal")
    if not found.points:
        return FiniteWordChecker(facts, script, (), asking.has_no_model, asking.poll, endless=found)
    if found.automaton is None:
        raise PincerError("no automaton reads the states of the run")
    return EndlessWordChecker(
        facts, script, found.points, asking.has_no_model, asking.poll,
        endless=found, automaton=found.automaton, moves=frozenset(found.moves),
    )  # fmt: skip
