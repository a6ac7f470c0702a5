"""Are two moves of different threads independent: is it the same in which order they are made?

They are where neither writes what the other reads or writes. Data are global registers and bytes of memory; what is
known where the threads are (an outline) may tell that addresses differ. The objects of the library, lives of objects
and of threads are told by names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from pincer.evidence.c_proof.program_facts import label_terms
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.term_data import Reader, children
from pincer.evidence.thread_proof.accesses import AccessWriter, GuardedAccess
from pincer.evidence.thread_proof.obligations import ClaimWriter
from pincer.evidence.thread_proof.sync_objects import used_objects
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Begin, End, Free
from pincer.program.thread_labels import Exit, Join, Start, ThreadOperation
from pincer.program.threaded_system import Action, EndThread, Enter, Move, Perform, ThreadedSystem

ANY: frozenset[int] | None = None
"""Of all threads, or of all slots: it is not known which."""


class Named(Struct, frozen=True):
    """What a move has to do with beside data: objects of the library by address, threads that begin, end or are joined,
    slots whose objects begin or end, and slots that are asked for their size (None: any)."""

    objects: frozenset[int]
    threads: frozenset[int] | None
    lives: frozenset[int] | None
    rooms: frozenset[int] | None


class Footprints:
    """What the moves of one program touch. `refuted` says whether a solver shows that a formula has no model."""

    def __init__(self, claims: ClaimWriter, refuted: Callable[[Node], bool]) -> None:
        self._claims = claims
        self._refuted = refuted
        self._system: ThreadedSystem = claims.system
        self._accesses = AccessWriter(claims)
        self._layout = claims.encoder.program.layout
        self._apart: dict[tuple[int, int, int, int], bool] = {}
        self._joined: dict[tuple[int, int], int | None] = {}
        self._touched: dict[tuple[int, int, str], list[GuardedAccess]] = {}

    def independent(self, mine: tuple[int, Move], yours: tuple[int, Move]) -> bool:
        """Whether two moves of different threads are."""
        ours = self.named(*mine), self.named(*yours)
        return _are_apart(*ours) and _are_apart(*reversed(ours)) and self.touch_other_data(mine, yours)

    def touch_other_data(self, mine: tuple[int, Move], yours: tuple[int, Move]) -> bool:
        """Whether they touch different data, or only read what both do."""
        key = mine[0], mine[1].number, yours[0], yours[1].number
        if key not in self._apart:
            self._apart[key] = self._no_overlap(mine, yours)
        return self._apart[key]

    def _no_overlap(self, mine: tuple[int, Move], yours: tuple[int, Move]) -> bool:
        script = self._claims.script
        some = script.disjunction(
            script.conjunction((a.guard, b.guard, self._accesses.overlap(a, b)))
            for a in self._touches(*mine, "me")
            for b in self._touches(*yours, "you")
            if (a.write or b.write) and bool(a.register) == bool(b.register)
        )
        if some.is_false:
            return True
        (thread, move), (other, theirs) = mine, yours
        first, second = self._system.threads[thread], self._system.threads[other]
        me, you = self._claims.encoder.view("me", first), self._claims.encoder.view("you", second)
        known = self._claims.known((first, move.source, me), (second, theirs.source, you))
        whole = script.conjunction((*known, some))
        return self._refuted(script.conjunction((*script.facts(whole), whole)))

    def _touches(self, thread: int, move: Move, who: str) -> list[GuardedAccess]:
        key = thread, move.number, who
        if key not in self._touched:
            own = self._system.threads[thread]
            found = self._accesses.of(own, move, self._claims.encoder.view(who, own))
            self._touched[key] = [*found, *self._begun(move)]
        return self._touched[key]

    def _begun(self, move: Move) -> Iterator[GuardedAccess]:
        """The objects that begin: their bytes are whatever they are."""
        script, bits = self._claims.script, self._claims.encoder.bits
        for action in move.actions:
            if isinstance(action, Perform) and isinstance(action.label, Begin):
                start, size = (script.constant(n, bits) for n in (action.label.address, self._layout.slot))
                yield GuardedAccess(script.true, True, False, start=start, size=size)

    def named(self, thread: int, move: Move) -> Named:
        objects, lives = self.reset(move), self._lives(move)
        threads: frozenset[int] | None = frozenset()
        rooms: frozenset[int] | None = frozenset()
        for action in move.actions:
            match action:
                case EndThread() | Perform(label=Exit()):
                    threads = _with(threads, frozenset((thread,)))
                case Perform(label=Join()):
                    joined = self.joined(thread, move)
                    threads = _with(threads, ANY if joined is None else frozenset((joined,)))
                case Perform(label=Start()):
                    threads = _with(threads, frozenset((self._system.births[thread, move.number],)))
            for term in _evaluated(action):
                rooms = _with(rooms, self._asked_for(term))
            if isinstance(action, Perform) and isinstance(action.label, ThreadOperation):
                used = used_objects(action.label)
                objects |= {self._claims.writer.library.objects.address(term) for _, term in used}
        return Named(frozenset(objects), threads, lives, rooms)

    def joined(self, thread: int, move: Move) -> int | None:
        """Which thread a move joins, if it does and what is known at its place tells."""
        key = thread, move.number
        if key not in self._joined:
            self._joined[key] = self._found_joined(thread, move)
        return self._joined[key]

    def _found_joined(self, number: int, move: Move) -> int | None:
        if not isinstance(move.label, Join):
            return None
        script, encoder, thread = self._claims.script, self._claims.encoder, self._system.threads[number]
        me = encoder.view("me", thread)
        value = encoder.encode(move.label.thread, encoder.before, me)
        known = self._claims.known((thread, move.source, me))
        for other in self._system.threads:
            differs = script.negation(script.equal(value, encoder.single(other.number)))
            whole = script.conjunction((*known, differs))
            if not other.several and self._refuted(script.conjunction((*script.facts(whole), whole))):
                return other.number
        return None

    def _lives(self, move: Move) -> frozenset[int] | None:
        """The slots whose objects begin or end."""
        lives: frozenset[int] | None = frozenset()
        for action in move.actions:
            match action:
                case Perform(label=Begin(address)):
                    lives = _with(lives, frozenset((address // self._layout.slot,)))
                case Perform(label=End(address) | Free(address)):
                    lives = _with(lives, self._slots((address,)))
                case Perform(label=Allocate()):
                    lives = ANY
        return lives

    def reset(self, move: Move) -> set[int]:
        """The objects of the library that begin or end with the memory they are in."""
        lives = self._lives(move)
        inside = self._claims.writer.library.objects.kinds_and_addresses
        return {address for _, address in inside if lives is None or address // self._layout.slot in lives}

    def _slots(self, addresses: Iterable[Term]) -> frozenset[int] | None:
        found = list(addresses)
        if any(address.op != "bvconst" for address in found):
            return ANY
        return frozenset(address.args[0] // self._layout.slot for address in found)

    def _asked_for(self, term: Term) -> frozenset[int] | None:
        """The slots whose sizes a term reads."""
        if not Reader().reads(term).rooms:
            return frozenset()
        addresses: list[Term] = []
        waiting = [term]
        while waiting:
            part = waiting.pop()
            waiting.extend(children(part))
            if part.op == "room":
                addresses.append(part.args[0])
        return self._slots(addresses)


def _evaluated(action: Action) -> tuple[Term, ...]:
    match action:
        case Perform(label=label):
            return label_terms(label)
        case Enter(arguments=arguments):
            return arguments
    return ()


def _with(some: frozenset[int] | None, more: frozenset[int] | None) -> frozenset[int] | None:
    return None if some is None or more is None else some | more


def _meet(mine: frozenset[int] | None, yours: frozenset[int] | None) -> bool:
    """Whether two sets have something in common, as far as is known."""
    if mine is None or yours is None:
        return (mine is None or bool(mine)) and (yours is None or bool(yours))
    return not mine.isdisjoint(yours)


def _are_apart(mine: Named, yours: Named) -> bool:
    return not (
        _meet(mine.objects, yours.objects)
        or _meet(mine.threads, yours.threads)
        or _meet(mine.lives, yours.lives)
        or _meet(mine.lives, yours.rooms)
    )
