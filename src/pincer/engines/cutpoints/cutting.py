"""A program cut at its loop heads in another manner than the strategy for errors has: for arguments about rounds."""

from __future__ import annotations

from msgspec import Struct

from pincer.abstraction.weakest import Weakest
from pincer.engines.cutpoints.blocks import blocks_of
from pincer.engines.cutpoints.induction import Induction
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.plain import PlainForm
from pincer.engines.cutpoints.strategy import Cut, begun_once
from pincer.engines.cutpoints.strategy import _guessed as guessed
from pincer.engines.cutpoints.strategy import _initial as initial_facts
from pincer.engines.cutpoints.strategy import _rounds as rounds
from pincer.engines.cutpoints.view import Sampling, view_of
from pincer.engines.inlining import inlined
from pincer.engines.questions import Questions
from pincer.program.control_flow import Call, ControlFlowProgram
from pincer.program.effects import effects
from pincer.program.property import PropertyKind

__all__ = ["Cut", "Manner", "cut_of", "guessed", "rounds"]


class Manner(Struct, frozen=True):
    """How a program is looked at: what steps mean, and how many tests guesses are tried on."""

    meaning: type[Weakest] = Weakest
    sampling: Sampling = Sampling()


def cut_of(
    program: ControlFlowProgram, kind: PropertyKind, questions: Questions, manner: Manner | None = None
) -> Cut | str:
    """A program with its calls put in place and cut at its loop heads; otherwise why it is not."""
    manner = manner or Manner()
    flat = inlined(program)
    program = program if flat is None else flat.program
    procedure = begun_once(program)
    if any(isinstance(edge.label, Call) for edge in procedure.edges):
        return "not all calls can be put in place"
    if not procedure.loop_heads or len(procedure.edges) > LIMITS.edges:
        return "there is no loop, or the program is too large"
    weakest = manner.meaning(program.layout, program.top, effects(program).__getitem__)
    blocks = blocks_of(procedure, kind, weakest, LIMITS.paths)
    if blocks is None or len(blocks.cuts) > LIMITS.cuts:
        return "there are too many loops, or ways between them"
    hidden = {} if flat is None else flat.hidden
    view = view_of(program, procedure, blocks.cuts, hidden, questions.run, manner.sampling)
    induction = Induction(blocks, PlainForm(program), questions, tuple(initial_facts(program)))
    return Cut(program, flat, view, induction)
