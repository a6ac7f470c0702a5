"""Threaded forms, threads made by hand, and filtered guesses, for the tests beside this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincer.engines.outlines.filtering import GuessFilter
from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.questions import OutlineQuestions
from pincer.errors import Position
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Procedure, Skip
from pincer.program.threaded_system import Action, Move, Place, UnfoldedThread
from pincer.runtime.run import Run
from tests.evidence.c_proof.proved_programs import procedure
from tests.evidence.thread_proof.threaded_programs import lowered

HERE = Position("p.c", 1, 1)
ROUTINE: Procedure = procedure("worker", [(0, 1, Skip())], 1)


def form_of(text: str) -> ThreadedForm:
    program = lowered(text)
    system = unfolded(program, False)
    return ThreadedForm(program, system, SyncObjects(program, system))


def place(number: int) -> Place:
    return Place((), number)


def thread_of(*moves: tuple[int, Sequence[Action], int | None]) -> UnfoldedThread:
    """A thread by the numbers of places and what is done between them; it begins at 0."""
    made = [
        Move(i, place(source), tuple(actions), None if target is None else place(target), HERE)
        for i, (source, actions, target) in enumerate(moves)
    ]
    return UnfoldedThread(0, ROUTINE, None, None, False, place(0), tuple(made))


def filtered(program: ControlFlowProgram, guessed: Outline) -> GuessFilter:
    """What is left of guesses."""
    system = unfolded(program, False)
    script = Script()
    coarse, exact = (claim_writer(program, system, guessed, script, flag) for flag in (True, False))
    made = GuessFilter(coarse, exact, OutlineQuestions(script, Run()))
    for _ in made.run():
        pass
    return made


def holds(condition: Term, values: Mapping[Term, int]) -> bool:
    """The truth of a condition about registers."""
    return bool(evaluate(condition, {v: values[v] for v in condition.variables}))
