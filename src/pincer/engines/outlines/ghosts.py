"""Ghosts: who has taken a cell that is used like a lock, and where a thread's block will end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.limits import LIMITS
from pincer.engines.outlines.pre_images import pre_image
from pincer.evidence.thread_proof.leaves import ME, ONCE, PERMITS, ghost, leaf, thread_leaf
from pincer.evidence.thread_proof.outline import Updates
from pincer.evidence.thread_proof.states import Ghost
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Store
from pincer.program.labels import read_terms
from pincer.program.thread_labels import Once, Patience, Post, SemaphoreWait, SyncKind
from pincer.program.threaded_system import Move, Perform, Place, UnfoldedThread


class Ghosts(Struct, frozen=True):
    """Ghosts with their updates by thread and move. Of ghosts for who has taken something, `cells` says which cell each
    is about, or which permits; of block ghosts, `values` are those of each thread, `ends` where the block ends that a
    thread is in at a place."""

    ghosts: Mapping[str, Ghost]
    updates: Updates
    cells: Mapping[str, Term]
    values: Mapping[int, tuple[Term, ...]] = {}
    ends: Mapping[tuple[int, Place], Term] = {}

    def given_up(self, thread: int) -> frozenset[int]:
        """The moves of a thread that certainly set a ghost to zero: of owner ghosts, those that give up a cell."""
        found = (
            key[1]
            for key, values in self.updates.items()
            if key[0] == thread and 0 in map(bitvectors.constant_value, values.values())
        )
        return frozenset(found)


def owner_ghosts(form: ThreadedForm) -> Ghosts:
    """For each cell that atomic moves test and set, and that is set back to zero: the thread that has taken it."""
    ghosts: dict[str, Ghost] = {}
    updates: dict[tuple[int, int], dict[str, Term]] = {}
    cells: dict[str, Term] = {}
    bits = form.bits
    for number, cell in enumerate(cell for cell in form.cells if _is_tested(form, cell)):
        name = f"own{number}"
        cells[name] = cell
        ghosts[name] = Ghost(bits, 0)
        owner, zero = ghost(name, bits), bitvectors.constant(0, bits)
        for thread in form.system.threads:
            for move in thread.moves:
                if not _writes(move, cell):
                    continue
                after = pre_image(move, cell, {}, bits)
                if after is None:
                    continue
                none = bitvectors.constant(0, bitvectors.width(cell))
                taken = terms.conditional(terms.equal(cell, none), thread_leaf(ME, bits), owner)
                value = terms.conditional(terms.equal(after, none), zero, taken)
                updates.setdefault((thread.number, move.number), {})[name] = value
    return Ghosts(ghosts, updates, cells)


def permit_ghosts(form: ThreadedForm) -> Ghosts:
    """For each semaphore: the thread that has taken a permit last and not given it back, as where it is a lock."""
    ghosts: dict[str, Ghost] = {}
    updates: dict[tuple[int, int], dict[str, Term]] = {}
    cells: dict[str, Term] = {}
    bits = form.bits
    for number, semaphore in enumerate(form.objects.of(SyncKind.SEMAPHORE)):
        name = f"taken{number}"
        ghosts[name] = Ghost(bits, 0)
        permits = cells[name] = leaf(PERMITS, semaphore, bits=bits)
        me, none = thread_leaf(ME, bits), bitvectors.constant(0, PERMITS.width)
        tried = terms.conditional(terms.equal(permits, none), ghost(name, bits), me)
        for thread in form.system.threads:
            for move in thread.moves:
                match move.label:
                    case SemaphoreWait(semaphore=which, patience=patience):
                        value = me if patience is Patience.FOR_EVER else tried
                    case Post(semaphore=which):
                        value = bitvectors.constant(0, bits)
                    case _:
                        continue
                if form.objects.address(which) == semaphore:
                    updates.setdefault((thread.number, move.number), {})[name] = value
    return Ghosts(ghosts, updates, cells)


def once_ghosts(form: ThreadedForm) -> Ghosts:
    """For each routine that is run once: the thread that runs it, or has run it."""
    ghosts: dict[str, Ghost] = {}
    updates: dict[tuple[int, int], dict[str, Term]] = {}
    cells: dict[str, Term] = {}
    bits = form.bits
    for number, control in enumerate(form.objects.of(SyncKind.ONCE)):
        name = f"once{number}"
        ghosts[name] = Ghost(bits, 0)
        state = cells[name] = leaf(ONCE, control, bits=bits)
        unused = terms.equal(state, bitvectors.constant(0, ONCE.width))
        first = terms.conditional(unused, thread_leaf(ME, bits), ghost(name, bits))
        for thread in form.system.threads:
            for move in thread.moves:
                if isinstance(move.label, Once) and form.objects.address(move.label.control) == control:
                    updates.setdefault((thread.number, move.number), {})[name] = first
    return Ghosts(ghosts, updates, cells)


def moves_writing(thread: UnfoldedThread, cell: Term) -> Iterator[Move]:
    """The moves of a thread that write a cell."""
    return (move for move in thread.moves if _writes(move, cell))


def _is_tested(form: ThreadedForm, cell: Term) -> bool:
    """Whether an atomic move reads a cell and writes it."""
    moves = (move for thread in form.system.threads for move in thread.moves if move.atomic)
    return any(_writes(move, cell) and _reads(move, cell) for move in moves)


def _writes(move: Move, cell: Term) -> bool:
    for action in move.actions:
        match action:
            case Perform(label=Store(address, value)):
                if bitvectors.load(address, bitvectors.width(value) // 8) is cell:
                    return True
            case Perform(label=Assign(register)) if register is cell:
                return True
    return False


def _reads(move: Move, cell: Term) -> bool:
    return any(
        part is cell
        for action in move.actions
        if isinstance(action, Perform)
        for term in read_terms(action.label)
        for part in terms.postorder(term)
    )


def block_ghosts(form: ThreadedForm) -> Ghosts:
    """For each single thread but the main one: the cut point where its block ends, set by the first move of it."""
    ghosts: dict[str, Ghost] = {}
    updates: dict[tuple[int, int], dict[str, Term]] = {}
    values: dict[int, tuple[Term, ...]] = {}
    ends: dict[tuple[int, Place], Term] = {}
    for thread in form.system.threads[1:]:
        cuts = form.cuts[thread.number]
        if thread.several or len(cuts) > LIMITS.blocks:
            continue
        name = f"at{thread.number}"
        numbers = {place: bitvectors.constant(i, 16) for i, place in enumerate(cuts, 1)}
        over = bitvectors.constant((1 << 16) - 1, 16)
        ghosts[name] = Ghost(16, 0)
        values[thread.number] = (bitvectors.constant(0, 16), *numbers.values(), over)
        for place in thread.places:
            ends[thread.number, place] = form.block_end(thread, place, numbers)
        for move in thread.moves:
            if move.source in numbers:
                end = over if move.target is None else ends[thread.number, move.target]
                before = pre_image(move, end, {}, form.bits)
                if before is not None:
                    updates.setdefault((thread.number, move.number), {})[name] = before
        for (creator, move_number), born in form.system.births.items():
            if born == thread.number:
                updates.setdefault((creator, move_number), {})[name] = numbers[thread.entry]
    return Ghosts(ghosts, updates, {}, values, ends)
