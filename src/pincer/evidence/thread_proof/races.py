"""Claims about data: no two threads access it at the same time, one of them writing; nobody but the library touches the
library's objects."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof.accesses import AccessWriter, GuardedAccess
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter, Resting
from pincer.program.threaded_system import Place, UnfoldedThread


class RaceClaims:
    """The claims about accesses of one program."""

    def __init__(self, claims: ClaimWriter) -> None:
        self._claims = claims
        self._script = claims.script
        self._accesses = AccessWriter(claims)
        self._known: dict[tuple[int, Place, str], tuple[GuardedAccess, ...]] = {}

    def at(self, thread: UnfoldedThread, place: Place, who: str) -> tuple[GuardedAccess, ...]:
        """What a thread may access next at a place."""
        key = thread.number, place, who
        if key not in self._known:
            view = self._claims.encoder.view(who, thread)
            found = (a for move in thread.outgoing[place] for a in self._accesses.of(thread, move, view))
            self._known[key] = tuple(dict.fromkeys(found))
        return self._known[key]

    def apart(self, first: Resting, second: Resting, all_accesses: bool) -> Iterator[Claim]:
        """Two threads at two places are not about to access the same data, one of them writing, not both atomically;
        without `all_accesses` only those count that a machine does not make at once."""
        (thread, place), (other, there) = first, second
        overlaps: list[Node] = []
        for mine in self.at(thread, place, "me"):
            for yours in self.at(other, there, "you"):
                if not (mine.write or yours.write) or (mine.atomic and yours.atomic):
                    continue
                if bool(mine.register) != bool(yours.register) or (mine.life and yours.life):
                    continue
                if all_accesses or mine.block or yours.block:
                    overlap = self._accesses.overlap(mine, yours)
                    overlaps.append(self._script.conjunction((mine.guard, yours.guard, overlap)))
        same = self._script.disjunction(overlaps)
        if not same.is_false:
            encoder = self._claims.encoder
            me, you = encoder.view("me", thread), encoder.view("you", other)
            known = self._claims.known((thread, place, me), (other, there, you))
            text = f"{thread.routine.name} at {place} and {other.routine.name} at {there} may access the same data"
            both = ((thread.number, place, me.who), (other.number, there, you.who))
            yield Claim("harmless", text, thread.outgoing[place][0].position, known, same, there=both)

    def untouched(self, thread: UnfoldedThread, place: Place) -> Iterator[Claim]:
        """A thread does not access the bytes of the library's objects."""
        script, encoder = self._script, self._claims.encoder
        touched: list[Node] = []
        for mine in self.at(thread, place, "me"):
            if mine.register or mine.life:
                continue
            for address, size in self._claims.writer.library.objects.spans:
                start, length = (script.constant(number, encoder.bits) for number in (address, size))
                own = GuardedAccess(script.true, True, True, start=start, size=length)
                touched.append(script.conjunction((mine.guard, self._accesses.overlap(mine, own))))
        some = script.disjunction(touched)
        if not some.is_false:
            known = self._claims.known((thread, place, encoder.view("me", thread)))
            text = "this may access an object of the threads library by itself"
            here = ((thread.number, place, "me"),)
            yield Claim("harmless", text, thread.outgoing[place][0].position, known, some, there=here)
