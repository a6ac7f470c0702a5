"""Deciding whether a C program without threads ends: ranks, endless runs, and the claim with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.abstraction.weakest import Weakest
from pincer.engines.cutpoints.cutting import Cut, Manner, cut_of
from pincer.engines.cutpoints.view import Sampling
from pincer.engines.invariants.houdini import Asking
from pincer.engines.questions import Questions
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.engines.termination.bounded import all_paths
from pincer.engines.termination.contracts import likely_contracts
from pincer.engines.termination.endless_region import Region
from pincer.engines.termination.endless_runs import Found, endless_run, of_lasso, of_long_run
from pincer.engines.termination.finite_runs import WordJudge, finite_run
from pincer.engines.termination.forgetful import Forgetful
from pincer.engines.termination.lassos import lassos
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.long_runs import Endings, LongRun, long_runs, note_endings
from pincer.engines.termination.rank_texts import RankedLoop
from pincer.engines.termination.ranking import Ranking
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import Contract, CutPointProof
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.c_proof.paths import Paths
from pincer.frontends.c.unfolding import Deeper
from pincer.program.automaton import Automaton
from pincer.program.control_flow import Allocate, ControlFlowProgram
from pincer.program.graphs import reachable
from pincer.program.loops import loop_position
from pincer.program.passes.recursion import leading_to_recursion, with_calls_entered, with_calls_passed
from pincer.program.property import Assumption
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Progress, Run, Stopped
from pincer.temporal.buchi import buchi
from pincer.temporal.formula import not_
from pincer.temporal.parser import parse_formula, parse_ltl

FILE = "<--property>"
LTL = "ltl:"
DEEP_STACK = Assumption("the stack has room for calls of any depth")
"""What a run rests on in which calls never return."""


class TerminationSettings(Struct, frozen=True):
    """The predicates of a temporal formula that compiled code can look at everywhere, by name. Without `regions` runs
    without an end are only those that come to the same state again."""

    visible: Mapping[str, str] = {}
    regions: bool = True


class RankedProgram(Struct, frozen=True):
    """What readers may want to look at: what gets smaller where."""

    loops: tuple[RankedLoop, ...]


TerminationTask: TypeAlias = EngineTask[ControlFlowProgram, Literal["termination", "temporal"], TerminationSettings]


def check(task: TerminationTask, run: Run) -> Iterator[Claim]:
    """Decide whether a program ends, or whether its runs satisfy the formula that it is observed for."""
    for name in task.asked:
        yield _Decision(task.program, run, name, task.settings).claim()


class _Decision:
    """One program being decided, and what that has cost."""

    def __init__(self, program: ControlFlowProgram, run: Run, name: str, settings: TerminationSettings) -> None:
        self._program = program
        self._name = name
        self._settings = settings
        self._run = run
        self._started = run.elapsed()
        self._endings = Endings()
        self._questions = Questions(run, program.layout.slot_bits, LIMITS.ticks, "ranks")
        self._regions = 0
        self._entered = with_calls_entered(program)
        self._automaton = violations(program.formula) if program.formula else None
        self._judge = None if self._automaton is None else WordJudge(program, self._automaton)
        self._endings.judge = self._judge
        run.watch(self._progress)

    def claim(self) -> Claim:
        try:
            return self._decided()
        except Stopped as stopped:
            return self._open(stopped.reason)
        except RecursionError:
            return self._open(Reason("a formula became too large"))

    def _decided(self) -> Claim:
        unmodelled = _unmodelled(self._program)
        if unmodelled is not None:
            return self._open(unmodelled)
        if self._entered.entries:
            return self._recursive()
        if self._automaton is None and not _has_loops(self._program):
            return self._proved(CutPointProof(()), "there is no loop")
        cut = self._cut(self._program)
        if isinstance(cut, str):
            return self._by_paths() or self._open(Reason(cut + self._depth()))
        ranking = Ranking(cut)
        runs = long_runs(cut, self._run, self._endings)
        found = self._endless(cut, next(runs, None)) or self._finite()
        proof = None if found else self._ranked(ranking.proof())
        for longer in runs if found is None else ():
            # Where there is a proof, executions only tell whether behaviour is undefined.
            if proof is None and self._regions < LIMITS.regions:
                found = self._endless(cut, longer)
            found = found or self._finite()
            if found is not None:
                break
        found = found or self._finite()
        if found is None and proof is None:
            found = self._repeating(cut)
        if found is not None:
            return Refuted(run=found, **self._told())
        proof = proof or self._ranked(ranking.by_visits())
        if proof is not None:
            return self._proved(proof, ranking.why, ranking.loops)
        return self._by_paths() or self._open(Reason(self._left(cut, ranking) + self._depth()))

    def _depth(self) -> str:
        """How deep recursion is looked at where it is calls put in place."""
        labels = (edge.label for edge in self._program.edges())
        deeper = next((label for label in labels if isinstance(label, Deeper)), None)
        return "" if deeper is None else f"; {deeper.what} are not looked at"

    def _by_paths(self) -> Claim | None:
        """A program ends of which all paths have been followed to their ends."""
        if self._automaton is not None:
            return None
        self._run.publish("termination", "following all paths")
        found = all_paths(self._program, self._run)
        return None if found is None else self._proved(found, "all paths were followed, and each comes to an end")

    def _recursive(self) -> Claim:
        """Recursion is made into loops: calls that are entered for good show runs without an end, and such as are
        entered or passed that there is none."""
        entered = self._cut(self._entered.program)
        passing = with_calls_passed(self._program)
        passed = self._cut(passing.program)
        runs = iter(()) if isinstance(entered, str) else long_runs(entered, self._run, Endings())
        found = None if isinstance(entered, str) else self._endless(entered, next(runs, None))
        ranking = None if isinstance(passed, str) or found is not None else Ranking(passed, passing)
        proof = None if ranking is None else self._ranked(ranking.proof())
        if proof is None and found is None:
            ranking, proof = self._with_contracts(ranking)
        for longer in runs if found is None and proof is None else ():
            if isinstance(entered, str) or self._regions >= LIMITS.regions or found is not None:
                break
            found = self._endless(entered, longer)
        if found is None and proof is None and not isinstance(entered, str):
            found = self._repeating(entered)
        if found is not None:
            told = self._told()
            return Refuted(run=found, **{**told, "assumptions": (*told["assumptions"], DEEP_STACK)})
        if proof is None and ranking is not None:
            proof = self._ranked(ranking.by_visits())
        if proof is not None and ranking is not None:
            note_endings(self._program, self._run, self._endings)
            return self._proved(proof, ranking.why, ranking.loops)
        bounded = self._by_paths()
        if bounded is not None:
            return bounded
        if isinstance(passed, str):
            return self._open(Reason(passed))
        assert ranking is not None
        return self._open(Reason(self._left(passed, ranking)))

    def _with_contracts(self, without: Ranking | None) -> tuple[Ranking | None, CutPointProof | None]:
        """The same where it is guessed what recursive calls return; whether that is so, the checker is asked at once: a
        wrong guess must not keep runs without an end from being found."""
        for contracts in likely_contracts(self._program, self._run):
            passing = with_calls_passed(self._program, contracts)
            passed = self._cut(passing.program)
            ranking = None if isinstance(passed, str) else Ranking(passed, passing)
            proof = None if ranking is None else self._ranked(ranking.proof())
            if proof is not None:
                stated = tuple(Contract(name, formula) for name, formula in contracts.items())
                proof = replace(proof, contracts=stated)
                if self._is_accepted(proof):
                    return ranking, proof
        return without, None

    def _is_accepted(self, proof: CutPointProof) -> bool:
        program = self._program
        model = program.layout.data_model
        told = ProofCertificate(program.file, "", model, program.entry, "termination", "", cuts=proof)
        return check_proof(program, told, run=self._run).accepted

    def _cut(self, program: ControlFlowProgram) -> Cut | str:
        again = any(isinstance(edge.label, Allocate) for edge in program.edges())
        sampling = Sampling(LIMITS.tests, LIMITS.steps_per_test)
        manner = Manner(Forgetful if again else Weakest, sampling, self._automaton)
        return cut_of(program, "assertions", self._questions, manner)

    def _ranked(self, search: Asking[CutPointProof | None]) -> CutPointProof | None:
        while True:
            self._run.poll()
            try:
                next(search)
            except StopIteration as done:
                proof: CutPointProof | None = done.value
                return proof

    def _endless(self, cut: Cut, longer: LongRun | None) -> EndlessRun | None:
        if longer is None or not self._settings.regions:
            return None
        self._regions += 1
        search = Region(cut, longer.visits(), longer.chosen(), longer.moves).facts()
        while True:
            self._run.poll()
            try:
                next(search)
            except StopIteration as done:
                found = None if done.value is None else of_long_run(longer, done.value, self._run)
                return None if found is None else self._shown(cut, found)

    def _shown(self, cut: Cut, found: Found) -> EndlessRun | None:
        """A run as evidence; that of a recursive program is one in which calls are entered for good."""
        return endless_run(self._entered.program, cut, found, self._run, self._entered.entries)

    def _finite(self) -> EndlessRun | None:
        """A beginning after which the formula is false, if a test has met one."""
        if self._judge is None or self._judge.found is None:
            return None
        return finite_run(self._program, self._judge.found, self._settings.visible)

    def _repeating(self, cut: Cut) -> EndlessRun | None:
        """A run that comes to the same state again."""
        for lasso in lassos(cut, self._run):
            found = self._shown(cut, of_lasso(lasso))
            if found is not None:
                return found
        return None

    def _proved(self, proof: CutPointProof | Paths, why: str, loops: tuple[RankedLoop, ...] = ()) -> Claim:
        """A program that ends; where a test met undefined behaviour, nothing is said."""
        if self._endings.unsupported:
            text = "unsupported: " + next(iter(self._endings.unsupported.values()))
            return self._open(Reason(text, Cause.UNSUPPORTED))
        if self._endings.undefined:
            edge, stop = next(iter(self._endings.undefined.items()))
            met = f"{stop.message} {edge.position.said}"
            return self._open(Reason(f"a test runs into undefined behaviour, after which nothing is known: {met}"))
        check = "paths" if isinstance(proof, Paths) else "ranks"
        return Proved(proof=proof, check=check, summary=why, explored=RankedProgram(loops), **self._told())

    def _left(self, cut: Cut, ranking: Ranking) -> str:
        """Which loop resists."""
        places = [place for place in ranking.resisting if place in cut.view.procedure.loop_heads]
        if not places:
            what = "that it ends" if cut.product is None else "of the formula"
            return f"neither a proof {what} nor a run that shows the contrary was found"
        where = loop_position(cut.program, cut.view.procedure, places[0])
        return f"the loop at {where} has neither a rank that was found nor a run that stays in it for ever"

    def _open(self, reason: Reason) -> Open:
        return Open(reason=reason, **self._told())

    def _told(self) -> dict[str, Any]:
        return {
            "name": self._name,
            "engine": "termination",
            "time_s": self._run.elapsed() - self._started,
            "statistics": self._numbers(),
            "assumptions": self._program.assumptions,
        }

    def _numbers(self) -> dict[str, int]:
        return {"solver_calls": self._questions.solved, "regions": self._regions}

    def _progress(self) -> Progress:
        return Progress("termination", "ranking", self._numbers())


def violations(text: str) -> Automaton:
    """The automaton of the words that violate a formula. Raises `UnsupportedError`."""
    is_ltl = text.startswith(LTL)
    parsed = parse_ltl(text.removeprefix(LTL), FILE) if is_ltl else parse_formula(text, FILE)
    return buchi(not_(parsed.formula))


def _unmodelled(program: ControlFlowProgram) -> Reason | None:
    """Why a program is not decided at all."""
    asked = "what a formula says" if program.formula else "termination"
    called = reachable((program.entry,), program.callees)
    edges = [edge for name in called for edge in program.procedures[name].edges]
    threads = next((edge for edge in edges if isinstance(edge.label, ThreadOperation)), None)
    if threads is not None:
        return Reason(f"{asked} of programs with threads is not decided ({threads.position})", Cause.UNSUPPORTED)
    recursive = sorted(leading_to_recursion(program))
    if recursive and (program.formula or program.entry in recursive):
        return Reason(f"{asked} of recursive functions is not decided ({recursive[0]})", Cause.UNSUPPORTED)
    return None


def _has_loops(program: ControlFlowProgram) -> bool:
    called = reachable((program.entry,), program.callees)
    return any(program.procedures[name].loop_heads for name in called)
