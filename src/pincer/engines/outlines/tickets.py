"""Tickets: a thread draws the next number, waits until it is served, and then lets the one after it be served.

Two ghosts for each thread say whether it has a ticket, and which. There are as many tickets between the number that is
served and the next one as threads that have one, modulo the width of the numbers; so nothing depends on whether they
wrap around. Each ticket is one of those, and no two are the same. All of that are guesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import combinations

from msgspec import Struct

from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.ghosts import Ghosts, moves_writing
from pincer.engines.outlines.limits import LIMITS
from pincer.engines.outlines.pre_images import pre_image
from pincer.evidence.thread_proof.leaves import CREATED, ghost, leaf
from pincer.evidence.thread_proof.states import Ghost
from pincer.logic import bitvectors
from pincer.logic.terms import Term, disjunction, equal, negate
from pincer.program.threaded_system import UnfoldedThread


class Tickets(Struct, frozen=True):
    """The cell from which tickets are drawn, the one that says who is served, and the threads that draw them."""

    name: str
    drawn: Term
    served: Term
    threads: tuple[int, ...]

    @property
    def bits(self) -> int:
        return bitvectors.width(self.drawn)

    def has(self, thread: int) -> Term:
        """1 if a thread has a ticket, 0 if not; as wide as the numbers."""
        return ghost(f"{self.name}has{thread}", self.bits)

    def ticket(self, thread: int) -> Term:
        return ghost(f"{self.name}of{thread}", self.bits)

    def _is(self, term: Term, value: int) -> Term:
        return equal(term, bitvectors.constant(value, self.bits))

    def standing(self, atoms: Sequence[Term], pointer_bits: int) -> Iterator[Term]:
        """What holds in every state; `atoms` may hold while nobody has a ticket."""
        between = bitvectors.binary("bvsub", self.drawn, self.served)
        yield equal(between, reduce(partial(bitvectors.binary, "bvadd"), map(self.has, self.threads)))
        for thread in self.threads:
            none = self._is(self.has(thread), 0)
            unborn = equal(leaf(CREATED, thread, bits=pointer_bits), bitvectors.constant(0, CREATED.width))
            yield disjunction(negate(unborn), none)
            yield disjunction(none, self._is(self.has(thread), 1))
            ahead = bitvectors.binary("bvsub", self.ticket(thread), self.served)
            yield disjunction(none, bitvectors.compare("bvult", ahead, between))
        for one, other in combinations(self.threads, 2):
            nobody = (self._is(self.has(one), 0), self._is(self.has(other), 0))
            yield disjunction(*nobody, negate(equal(self.ticket(one), self.ticket(other))))
        for atom in atoms:
            yield disjunction(negate(equal(self.drawn, self.served)), atom)

    def at_place(self, thread: int, registers: Iterable[Term], atoms: Sequence[Term]) -> Iterator[Term]:
        """What holds where a thread is that may have a ticket, about registers that are read again and shared data."""
        if thread not in self.threads:
            return
        mine = self.ticket(thread)
        turn = equal(self.served, mine)
        yield self._is(self.has(thread), 0)
        yield self._is(self.has(thread), 1)
        yield turn
        for register in registers:
            if bitvectors.width(register) == self.bits:
                same = equal(register, mine)
                yield same
                yield disjunction(negate(same), turn)
        for atom in atoms:
            yield disjunction(negate(turn), atom)


def tickets(form: ThreadedForm) -> tuple[Tickets, ...]:
    """What may be tickets: an atomic move draws the next number, and whoever does so changes another number
    atomically, too."""
    found: list[Tickets] = []
    for drawn in form.cells:
        drawing = tuple(thread for thread in form.system.threads if _draws(form, thread, drawn))
        if not 2 <= len(drawing) <= LIMITS.apart or any(thread.several or not thread.number for thread in drawing):
            continue
        for served in form.cells:
            if served is drawn or bitvectors.width(served) != bitvectors.width(drawn):
                continue
            serving = [list(moves_writing(thread, served)) for thread in drawing]
            if all(moves and all(move.atomic for move in moves) for moves in serving):
                found.append(Tickets(f"turn{len(found)}", drawn, served, tuple(thread.number for thread in drawing)))
    return tuple(found[: LIMITS.tickets])


def ticket_ghosts(form: ThreadedForm, found: Iterable[Tickets]) -> Ghosts:
    """Whether each thread has a ticket, and which: set where one is drawn, and given back where the next is served."""
    ghosts: dict[str, Ghost] = {}
    updates: dict[tuple[int, int], dict[str, Term]] = {}
    for each in found:
        one, none = bitvectors.constant(1, each.bits), bitvectors.constant(0, each.bits)
        for number in each.threads:
            has, of = f"{each.name}has{number}", f"{each.name}of{number}"
            ghosts |= {has: Ghost(each.bits, 0), of: Ghost(each.bits, 0)}
            thread = form.system.threads[number]
            for move in moves_writing(thread, each.drawn):
                updates.setdefault((number, move.number), {}).update({has: one, of: each.drawn})
            for move in moves_writing(thread, each.served):
                updates.setdefault((number, move.number), {}).update({has: none})
    return Ghosts(ghosts, updates, {})


def _draws(form: ThreadedForm, thread: UnfoldedThread, cell: Term) -> bool:
    """Whether a thread adds one to a cell in one move, and keeps what it was."""
    following = bitvectors.binary("bvadd", cell, bitvectors.constant(1, bitvectors.width(cell)))
    return any(
        move.atomic and pre_image(move, cell, {}, form.bits) is following for move in moves_writing(thread, cell)
    )
