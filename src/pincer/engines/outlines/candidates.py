"""Guesses about a program with threads, from its text: what may stand, and what may hold where a thread is.

In order: who holds which lock and who lives; conditions of branches and assertions, carried back to where they are
about shared data; such conditions while a lock is free; who has taken a cell that is used like a lock; where other
threads are. Whatever is wrong is dropped by the filter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from pincer.engines.outlines.carrying import Carrier, size_of
from pincer.engines.outlines.data_facts import constants_of_cells, sizes_handed_on
from pincer.engines.outlines.form import ThreadedForm, flags
from pincer.engines.outlines.ghosts import Ghosts, block_ghosts, once_ghosts, owner_ghosts, permit_ghosts
from pincer.engines.outlines.limits import LIMITS
from pincer.engines.outlines.liveness import live_registers
from pincer.engines.outlines.tickets import ticket_ghosts, tickets
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import GHOST, ME, OWNED_BY, WRITTEN_BY, ThreadStatus, ghost, leaf, thread_leaf
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.states import Ghost
from pincer.logic import bitvectors, terms
from pincer.logic.terms import FALSE, TRUE, Term, disjunction, equal, negate
from pincer.program.control_flow import Assign, Assume
from pincer.program.registers import is_local
from pincer.program.thread_labels import Start, SyncKind
from pincer.program.threaded_system import Perform, Place, UnfoldedThread


@dataclass
class Candidates:
    """The guesses for one program; with `blocks`, also about where threads are, with `waits` about who waits, with
    `checks` about what keeps behaviour defined."""

    form: ThreadedForm
    blocks: bool
    waits: bool = False
    checks: bool = False
    standing: dict[Term, None] = field(default_factory=dict)
    places: dict[int, dict[Place, dict[Term, None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._bits = self.form.bits
        self._threads = self.form.system.threads
        self._live = [live_registers(thread) for thread in self._threads]
        self._owners = owner_ghosts(self.form)
        self._permits = permit_ghosts(self.form)
        self._once = once_ghosts(self.form)
        self._tickets = tickets(self.form)
        self._drawn = ticket_ghosts(self.form, self._tickets)
        self._at = block_ghosts(self.form) if self.blocks else Ghosts({}, {}, {})
        self._constants = constants_of_cells(self.form)
        self._carrier = Carrier(self.form, self.checks)
        self._flag_atoms = [
            atom
            for cell in flags(self.form)
            for value in self._constants[cell]
            for atom in _both(equal(cell, self._number(value, cell)), len(self._constants[cell]))
        ]

    def outline(self) -> Outline:
        """All guesses together."""
        for thread in self._threads:
            self.places[thread.number] = {place: {} for place in thread.places}
        for thread in self._threads:
            self._carrier.conditions(thread)
        for thread in self._threads:
            self._carrier.before_release(
                thread, self._owners.given_up(thread.number) | self._permits.given_up(thread.number)
            )
        shared = self._shared_atoms()
        self._stand(shared)
        for thread in self._threads:
            for place in thread.places:
                for guess in self._at_place(thread, place, shared):
                    self._add(self.places[thread.number][place], guess)
        for thread in self._threads:
            self._carrier.over_local_moves(thread, self.places[thread.number])
            self._carrier.cases(thread, self.places[thread.number])
        ghosts: dict[str, Ghost] = {}
        updates: dict[tuple[int, int], dict[str, Term]] = {}
        for made in (self._owners, self._permits, self._once, self._drawn, self._at):
            ghosts |= made.ghosts
            for key, values in made.updates.items():
                updates.setdefault(key, {}).update(values)
        assertions = {
            number: {place: tuple(guesses) for place, guesses in places.items()}
            for number, places in self.places.items()
        }
        return Outline(tuple(self.standing), assertions, ghosts, updates)

    def _add(self, to: dict[Term, None], guess: Term) -> None:
        if guess is not TRUE and guess is not FALSE:
            to[guess] = None

    def _number(self, value: int, like: Term) -> Term:
        return bitvectors.constant(value, bitvectors.width(like))

    def _shared_atoms(self) -> tuple[Term, ...]:
        """Conditions about shared data alone: those that branches come to, weaker ones, and values of cells."""
        found: dict[Term, None] = {}
        if self.checks:
            found.update(dict.fromkeys(sizes_handed_on(self.form)))
        for atom in self._carrier.shared:
            for guess in (atom, negate(atom), *_weakened(atom)):
                self._add(found, guess)
        values: dict[Term, None] = {}
        for cell, constants in self._constants.items():
            equals = [equal(cell, self._number(value, cell)) for value in constants]
            for guess in (*equals, *(map(negate, equals) if len(constants) > 1 else ())):
                self._add(values, guess)
            if len(constants) > 1:
                self._add(values, disjunction(*equals))
        return (*list(found)[: LIMITS.shared_atoms], *values, *self._permit_atoms())

    def _permit_atoms(self) -> Iterator[Term]:
        """How many permits there are; where a semaphore is used as a lock, one if nobody has taken it."""
        for name, permits in self._permits.cells.items():
            one = self._number(1, permits)
            yield self._is_free(name)
            yield equal(permits, one)
            yield equal(permits, self._number(0, permits))
            yield bitvectors.compare("bvule", permits, one)
            yield terms.iff(equal(permits, one), self._is_free(name))

    def _is_free(self, name: str) -> Term:
        return equal(ghost(name, self._bits), bitvectors.constant(0, self._bits))

    def _locks(self) -> tuple[int, ...]:
        return self.form.objects.of(SyncKind.MUTEX, SyncKind.SPIN_LOCK)

    def _stand(self, shared: Iterable[Term]) -> None:
        """What may hold in every state."""
        bits, atoms = self._bits, tuple(shared)
        frees = [equal(leaf(leaves.OWNER, lock, bits=bits), bitvectors.constant(0, bits)) for lock in self._locks()]
        frees += [self._is_free(name) for name in (*self._owners.ghosts, *self._permits.ghosts)]
        shared_locks = self.form.objects.of(SyncKind.READ_WRITE_LOCK)
        frees += [equal(leaf(leaves.WRITER, lock, bits=bits), bitvectors.constant(0, bits)) for lock in shared_locks]
        frees += self._done()
        created = [
            equal(leaf(leaves.CREATED, thread.number, bits=bits), bitvectors.constant(0, 8))
            for thread in self._threads
            if thread.number
        ]
        not_over = [
            bitvectors.compare("bvule", leaf(leaves.STATUS, f"#{t.number}", bits=bits), bitvectors.constant(1, 8))
            for t in self._threads
            if t.number and not t.several
        ]
        for guess in self._after_flags(atoms):
            self._add(self.standing, guess)
        for atom in atoms:
            self._add(self.standing, atom)
            for excuse in (*map(negate, frees), *created, *not_over):
                self._add(self.standing, disjunction(excuse, atom))
            for free in frees:
                for early in created[:1]:
                    self._add(self.standing, disjunction(negate(free), early, atom))
        drawn = (guess for each in self._tickets for guess in each.standing(atoms, bits))
        for guess in (*self._owners_live(), *self._waiting(), *self._read_write(), *drawn):
            self._add(self.standing, guess)
        for thread in self._threads:
            if thread.number and not thread.several:
                status = leaf(leaves.STATUS, f"#{thread.number}", bits=bits)
                flag = equal(leaf(leaves.CREATED, thread.number, bits=bits), bitvectors.constant(0, 8))
                unborn = equal(status, bitvectors.constant(ThreadStatus.UNBORN, 8))
                self._add(self.standing, terms.iff(flag, unborn))
                self._add(self.standing, bitvectors.compare("bvule", status, bitvectors.constant(ThreadStatus.LIVE, 8)))
        main = leaf(leaves.STATUS, "#0", bits=bits)
        self._add(self.standing, equal(main, bitvectors.constant(ThreadStatus.LIVE, 8)))
        for number, values in self._at.values.items():
            at = ghost(f"at{number}", 16)
            for value in values:
                here = equal(at, value)
                for atom in self._flag_atoms:
                    self._add(self.standing, disjunction(negate(here), atom))

    def _done(self) -> list[Term]:
        """That routines which are to be run once have been run."""
        controls = self.form.objects.of(SyncKind.ONCE)
        return [equal(leaf(leaves.ONCE, c, bits=self._bits), bitvectors.constant(2, 8)) for c in controls]

    def _runs(self) -> list[Term]:
        """That routines which are to be run once run just now."""
        return [equal(state, bitvectors.constant(1, 8)) for state in self._once.cells.values()]

    def _after_flags(self, atoms: tuple[Term, ...]) -> Iterator[Term]:
        """What holds of other data while a flag has one of its values."""
        for flag in self._flag_atoms[: LIMITS.flags]:
            cells = set(flag.variables) | set(bitvectors.state_reads(flag))
            others = (a for a in atoms if not cells & (set(a.variables) | set(bitvectors.state_reads(a))))
            for atom in islice(others, LIMITS.after_flag):
                yield disjunction(negate(flag), atom)

    def _owners_live(self) -> Iterator[Term]:
        """Who holds a lock lives; of cells that are used like locks, the ghost says who."""
        bits = self._bits
        zero = bitvectors.constant(0, bits)
        names = [(leaf(leaves.OWNER, lock, bits=bits), f"{OWNED_BY}{lock}") for lock in self._locks()]
        names += [(ghost(name, bits), f"{GHOST}{name}") for name in (*self._owners.ghosts, *self._permits.ghosts)]
        shared = self.form.objects.of(SyncKind.READ_WRITE_LOCK)
        names += [(leaf(leaves.WRITER, lock, bits=bits), f"{WRITTEN_BY}{lock}") for lock in shared]
        for owner, name in names:
            status = leaf(leaves.STATUS, name, bits=bits)
            free = equal(owner, zero)
            yield disjunction(free, equal(status, bitvectors.constant(ThreadStatus.LIVE, 8)))
            yield disjunction(free, negate(equal(status, bitvectors.constant(ThreadStatus.UNBORN, 8))))
            for thread in self._threads:
                if not thread.several:
                    yield negate(equal(owner, thread_leaf(f"#{thread.number}", bits)))
            singles = [equal(owner, thread_leaf(f"#{t.number}", bits)) for t in self._threads if not t.several]
            yield disjunction(free, *singles)
        for name, cell in self._owners.cells.items():
            yield terms.iff(equal(cell, self._number(0, cell)), self._is_free(name))

    def _waiting(self) -> Iterator[Term]:
        """What holds while a lock is free and a thread waits for a condition."""
        bits = self._bits
        for awake, atoms in self._waiters():
            for lock in self._locks():
                held = negate(equal(leaf(leaves.OWNER, lock, bits=bits), bitvectors.constant(0, bits)))
                for atom in atoms:
                    yield disjunction(awake, held, atom)

    def _waiters(self) -> Iterator[tuple[Term, list[Term]]]:
        """For each thread and condition that it waits for: that it does not, and what it has seen before it does."""
        for condition, threads in self.form.objects.waiters.items() if self.waits else ():
            for thread in threads:
                if not thread.several:
                    waits = leaf(leaves.WAITS, f"#{thread.number}", condition, bits=self._bits)
                    yield equal(waits, bitvectors.constant(0, 8)), self._carrier.seen_before(thread, condition)

    def _read_write(self) -> Iterator[Term]:
        for lock in self.form.objects.of(SyncKind.READ_WRITE_LOCK):
            writer = equal(leaf(leaves.WRITER, lock, bits=self._bits), bitvectors.constant(0, self._bits))
            alone = equal(leaf(leaves.READERS, lock, bits=self._bits), bitvectors.constant(0, 32))
            yield disjunction(writer, alone)

    def _at_place(self, thread: UnfoldedThread, place: Place, shared: tuple[Term, ...]) -> Iterator[Term]:
        yield from self._held()
        yield from self._lives(thread)
        yield from shared
        live = self._live[thread.number][place]
        own = [guess for guess in self._own(thread, place) if _is_known(guess, live)]
        yield from own[: LIMITS.own_atoms]
        yield from (guess for guess in self._held_if(thread) if _is_known(guess, live))
        yield from self._waiters_at()
        for each in self._tickets:
            yield from each.at_place(thread.number, sorted(live, key=str), shared)
        if self.blocks:
            yield from self._others_at(thread)
            yield from self._itself_at(thread, place)

    def _waiters_at(self) -> Iterator[Term]:
        """Who waits, and what holds then."""
        for awake, atoms in self._waiters():
            yield awake
            for atom in atoms:
                yield disjunction(awake, atom)

    def _held(self) -> Iterator[Term]:
        bits = self._bits
        for done in (*self._done(), *self._runs()):
            yield done
            yield negate(done)
        for mine in self._mine():
            yield mine
            yield negate(mine)
        if self.checks:
            yield from self._free()
        for lock in self.form.objects.of(SyncKind.READ_WRITE_LOCK):
            none = equal(leaf(leaves.READS, ME, lock, bits=bits), bitvectors.constant(0, 32))
            yield none
            yield negate(none)

    def _free(self) -> Iterator[Term]:
        """That nobody holds a lock."""
        for lock in self._locks():
            yield equal(leaf(leaves.OWNER, lock, bits=self._bits), bitvectors.constant(0, self._bits))
        for lock in self.form.objects.of(SyncKind.READ_WRITE_LOCK):
            yield equal(leaf(leaves.WRITER, lock, bits=self._bits), bitvectors.constant(0, self._bits))
            yield equal(leaf(leaves.READERS, lock, bits=self._bits), bitvectors.constant(0, 32))

    def _mine(self) -> list[Term]:
        """That the thread itself holds a lock, or has taken what is used like one."""
        me, bits = thread_leaf(ME, self._bits), self._bits
        owners = [leaf(leaves.OWNER, lock, bits=bits) for lock in self._locks()]
        named = (*self._owners.ghosts, *self._permits.ghosts, *self._once.ghosts)
        owners += [ghost(name, bits) for name in named]
        owners += [leaf(leaves.WRITER, lock, bits=bits) for lock in self.form.objects.of(SyncKind.READ_WRITE_LOCK)]
        return [equal(owner, me) for owner in owners]

    def _held_if(self, thread: UnfoldedThread) -> Iterator[Term]:
        """What is held when a condition of the thread's own holds on which it branches more than once."""
        branches = Counter(atom for move in thread.moves if isinstance(move.label, Assume)
                           for atom in terms.atoms(move.label.condition))  # fmt: skip
        repeated = [atom for atom, times in branches.items() if times > 2 and all(map(is_local, atom.variables))]
        for atom in repeated[: LIMITS.repeated]:
            for mine in self._mine():
                for held in (mine, negate(mine)):
                    yield disjunction(negate(atom), held)
                    yield disjunction(atom, held)

    def _lives(self, thread: UnfoldedThread) -> Iterator[Term]:
        """Which other threads have begun, and which have ended."""
        for other in self._threads:
            if not other.number:
                continue
            begun = leaf(leaves.CREATED, other.number, bits=self._bits)
            yield equal(begun, bitvectors.constant(0, 8))
            yield equal(begun, bitvectors.constant(1, 8))
            if other is not thread and not other.several:
                status = leaf(leaves.STATUS, f"#{other.number}", bits=self._bits)
                yield equal(status, bitvectors.constant(ThreadStatus.UNBORN, 8))
                yield negate(equal(status, bitvectors.constant(ThreadStatus.UNBORN, 8)))
                over = bitvectors.compare("bvule", bitvectors.constant(ThreadStatus.ENDED, 8), status)
                yield over
                joined = equal(status, bitvectors.constant(ThreadStatus.JOINED, 8))
                yield joined
                if self.checks:
                    yield negate(joined)

    def _own(self, thread: UnfoldedThread, place: Place) -> Iterator[Term]:
        """Conditions with the thread's registers: what was assigned, what was branched on."""
        for atom in self._carrier.own[thread.number].get(place, ()):
            yield atom
            yield negate(atom)
        for move in thread.moves:
            for action in move.actions:
                match action:
                    case Perform(label=Assign(register, value)) if size_of(value) <= LIMITS.depth:
                        if register not in value.variables:
                            yield equal(register, value)
                    case Perform(label=Assume(condition)) if size_of(condition) <= LIMITS.depth:
                        for atom in terms.atoms(condition):
                            yield atom
                            yield negate(atom)
                            yield from _weakened(atom)
                    case Perform(label=Start(thread=target)) if target.op == "bvconst":
                        born = self.form.system.births[thread.number, move.number]
                        yield from self._stored_ids(thread, bitvectors.load(target, self._bits // 8), born)

    def _stored_ids(self, thread: UnfoldedThread, cell: Term, born: int) -> Iterator[Term]:
        """Which thread is named where its creation stores it: one that is told apart, or none of those."""
        labels = (move.label for move in thread.moves)
        names = (cell, *(label.register for label in labels if isinstance(label, Assign) and label.value is cell))
        several = self._threads[born].several
        for other in self._threads:
            if not other.several and (several or other.number == born):
                for name in names:
                    same = equal(name, thread_leaf(f"#{other.number}", self._bits))
                    yield negate(same) if several else same

    def _others_at(self, thread: UnfoldedThread) -> Iterator[Term]:
        """What holds as long as another thread is at one of its cut points, or that it is not there."""
        for number, values in self._at.values.items():
            if number == thread.number:
                continue
            at = ghost(f"at{number}", 16)
            for value in values:
                away = negate(equal(at, value))
                yield away
                for atom in self._flag_atoms:
                    yield disjunction(away, atom)

    def _itself_at(self, thread: UnfoldedThread, place: Place) -> Iterator[Term]:
        end = self._at.ends.get((thread.number, place))
        if end is not None:
            yield equal(ghost(f"at{thread.number}", 16), end)


def _is_known(guess: Term, live: frozenset[Term]) -> bool:
    return all(variable in live for variable in guess.variables if is_local(variable))


def _both(atom: Term, values: int) -> tuple[Term, ...]:
    """A condition that a flag has one of its values, and that it has another one, if there are more than two."""
    return (atom, negate(atom)) if values > 2 else (atom,)


def _weakened(atom: Term) -> Iterator[Term]:
    """Comparisons that an ordering, or a difference, comes to when it may be an equality as well, or one more."""
    if atom.op in ("bvult", "bvslt"):
        yield bitvectors.compare("bvule" if atom.op == "bvult" else "bvsle", *atom.args)
    if atom.op in ("bvule", "bvsle"):
        left, right = atom.args
        yield bitvectors.compare(atom.op, right, left)
        width = bitvectors.width(left)
        if right.op == "bvconst":
            yield bitvectors.compare(atom.op, left, bitvectors.constant((right.args[0] + 1) % (1 << width), width))
        if left.op == "bvconst":
            yield bitvectors.compare(atom.op, bitvectors.constant((left.args[0] - 1) % (1 << width), width), right)
