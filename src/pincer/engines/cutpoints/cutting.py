"""A program cut at its loop heads, and what is guessed there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.abstraction.weakest import Weakest
from pincer.engines.cutpoints.beginning import Beginning
from pincer.engines.cutpoints.blocks import blocks_of
from pincer.engines.cutpoints.buffer_facts import buffer_candidates, nullable_candidates
from pincer.engines.cutpoints.candidates import combined_candidates, numeric_candidates
from pincer.engines.cutpoints.conditional_facts import conditional_candidates
from pincer.engines.cutpoints.contents import cell_candidates, content_candidates, neighbour_candidates
from pincer.engines.cutpoints.induction import Induction
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.node_facts import node_candidates
from pincer.engines.cutpoints.plain import PlainForm
from pincer.engines.cutpoints.text_facts import end_candidates, last_byte_candidates
from pincer.engines.cutpoints.unfolding import Unfolded, unfolded
from pincer.engines.cutpoints.view import Sampling, View, view_of
from pincer.engines.cutpoints.zone_facts import ZoneFacts
from pincer.engines.inlining import Inlined, inlined
from pincer.engines.questions import Questions
from pincer.logic.bitvectors import constant, room, width
from pincer.logic.terms import FALSE, TRUE, Term, equal
from pincer.program.automaton import Automaton
from pincer.program.control_flow import Call, ControlFlowProgram, Edge, Procedure, Skip
from pincer.program.effects import effects
from pincer.program.passes.edges import fresh_locations
from pincer.program.property import PropertyKind

Source: TypeAlias = Callable[[View, int], Iterator[Term]]


class Cut(Struct, frozen=True):
    """The program that cut points are about (with calls put in place where it is `flat`), and questions about it.

    Where an automaton reads its states, the cut points are those of the `product`."""

    program: ControlFlowProgram
    flat: Inlined | None
    view: View
    induction: Induction
    product: Unfolded | None = None


class Manner(Struct, frozen=True):
    """How a program is looked at: what steps mean, how many tests guesses are tried on, and which automaton reads its
    states."""

    meaning: type[Weakest] = Weakest
    sampling: Sampling = Sampling()
    automaton: Automaton | None = None


def cut_of(
    program: ControlFlowProgram, kind: PropertyKind, questions: Questions, manner: Manner | None = None
) -> Cut | str:
    """A program with its calls put in place and cut at its loop heads; otherwise why it is not."""
    manner = manner or Manner()
    flat = inlined(program, straight=manner.automaton is not None)
    program = program if flat is None else flat.program
    procedure = _begun_once(program)
    if any(isinstance(edge.label, Call) for edge in procedure.edges):
        return "not all calls can be put in place"
    product = None if manner.automaton is None else unfolded(procedure, manner.automaton)
    if product is not None:
        procedure = product.procedure
    elif not procedure.loop_heads:
        return "there is no loop"
    if len(procedure.edges) > LIMITS.edges * (1 if product is None else LIMITS.unfolded):
        return "the program is too large"
    weakest = manner.meaning(program.layout, program.top, effects(program).__getitem__)
    blocks = blocks_of(procedure, kind, weakest, LIMITS.paths)
    if blocks is None or len(blocks.cuts) > LIMITS.cuts:
        return "there are too many loops, or ways between them"
    hidden = {} if flat is None else flat.hidden
    if product is not None:
        hidden = {cut: hidden.get(place, frozenset()) for cut, (place, _) in product.origins.items()}
    view = view_of(program, procedure, blocks.cuts, hidden, questions.run, manner.sampling, product)
    induction = Induction(blocks, PlainForm(program), questions, tuple(_initial(program)), Beginning(program))
    return Cut(program, flat, view, induction, product)


def _begun_once(program: ControlFlowProgram) -> Procedure:
    """The procedure with which a program begins, its entry no loop head: what holds at the start holds there once."""
    procedure = program.procedures[program.entry]
    if procedure.entry not in procedure.loop_heads:
        return procedure
    before = next(fresh_locations(program))
    first = Edge(before, procedure.entry, Skip(), procedure.position)
    return replace(procedure, entry=before, edges=(first, *procedure.edges))


def rounds(view: View) -> Iterator[tuple[Source, ...]]:
    """Where guesses come from, round by round."""
    yield ZoneFacts(view).candidates, numeric_candidates, buffer_candidates, last_byte_candidates
    yield combined_candidates, end_candidates, content_candidates, cell_candidates
    yield conditional_candidates, numeric_candidates, neighbour_candidates
    yield (nullable_candidates,)
    yield nullable_candidates, node_candidates


def guessed(view: View, place: int, sources: tuple[Source, ...], known: dict[Term, None]) -> dict[Term, None]:
    found: dict[Term, None] = {}
    for source in sources:
        for formula in source(view, place):
            new = formula not in (TRUE, FALSE) and formula not in found and not _follows(formula, known)
            if new and len(found) < LIMITS.candidates and view.holds(formula, place):
                found[formula] = None
    return found


def _follows(formula: Term, known: dict[Term, None]) -> bool:
    return formula in known or (formula.op == "or" and any(part in known for part in formula.args))


def _initial(program: ControlFlowProgram) -> Iterator[Term]:
    """What holds when the program begins."""
    bits = program.layout.pointer_bits
    yield equal(program.top, constant(program.first_free, bits))
    for register, value in program.initial.items():
        yield equal(register, constant(value, width(register)))
    for item in program.objects:
        yield equal(room(constant(item.address, bits)), constant(item.size, bits))
