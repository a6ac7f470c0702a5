"""Guesses by carrying conditions back: what must hold earlier for a condition to hold later.

Conditions of branches are carried back over the moves before them, until they are about shared data alone; guesses
about a cut point over the local moves that lead to it, as cases of their branches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.limits import LIMITS
from pincer.engines.outlines.pre_images import pre_image
from pincer.logic import terms
from pincer.logic.terms import FALSE, TRUE, Term, disjunction, negate
from pincer.program.control_flow import Assume, Check
from pincer.program.registers import is_local
from pincer.program.thread_labels import Unlock, Wait
from pincer.program.threaded_system import Move, Perform, Place, UnfoldedThread

Guesses = dict[Term, None]
"""Conditions in the order in which they were found."""


class Carrier:
    """What conditions of branches come to: `shared` are those about shared data alone, `own` others by thread and
    place. With `checks`, what keeps behaviour defined is carried back, too."""

    def __init__(self, form: ThreadedForm, checks: bool = False) -> None:
        self.shared: Guesses = {}
        self.own: dict[int, dict[Place, Guesses]] = {thread.number: {} for thread in form.system.threads}
        self._form = form
        self._decisive = (Assume, Check) if checks else (Assume,)
        self._bits = form.bits

    def conditions(self, thread: UnfoldedThread) -> None:
        """Conditions of branches at the places from which they come, with what they come to there."""
        incoming = _incoming(thread)
        for place in thread.places:
            conditions = [c for move in thread.outgoing[place] for c in self._branched(move)]
            atoms = dict.fromkeys(atom for condition in conditions for atom in terms.atoms(condition))
            self._carry_back(thread, place, atoms, incoming)

    def before_release(self, thread: UnfoldedThread, given_up: Collection[int] = ()) -> None:
        """What others branch on must hold again where a lock is given up: conditions about shared data from there.
        The moves `given_up` give up what is used like a lock."""
        incoming = _incoming(thread)
        atoms = dict.fromkeys(list(self.shared)[: LIMITS.cases])
        for move in thread.moves:
            if isinstance(move.label, Unlock) or move.number in given_up:
                self._carry_back(thread, move.source, atoms, incoming)

    def _branched(self, move: Move) -> Iterator[Term]:
        """The conditions of a move as they are before it: inside an atomic section something may come first."""
        for number, action in enumerate(move.actions):
            if isinstance(action, Perform) and isinstance(action.label, self._decisive):
                earlier = Move(move.number, move.source, move.actions[:number], move.target, move.position, move.atomic)
                before = pre_image(earlier, action.label.condition, {}, self._bits)
                if before is not None:
                    yield before

    def _carry_back(
        self, thread: UnfoldedThread, place: Place, atoms: Guesses, incoming: Mapping[Place, list[Move]]
    ) -> None:
        level = {(place, atom): None for atom in atoms}
        seen = dict(level)
        for _ in range(LIMITS.carried):
            following: dict[tuple[Place, Term], None] = {}
            for at, atom in level:
                self._note(thread, at, atom)
                for move in incoming.get(at, ()):
                    before = pre_image(move, atom, {}, self._bits)
                    if before is None or before in (TRUE, FALSE):
                        continue
                    if (move.source, before) not in seen and len(following) < LIMITS.carried_width:
                        seen[move.source, before] = following[move.source, before] = None
            level = following

    def _note(self, thread: UnfoldedThread, place: Place, atom: Term) -> None:
        if any(map(is_local, atom.variables)):
            self.own[thread.number].setdefault(place, {})[atom] = None
        else:
            self.shared[atom] = None

    def seen_before(self, thread: UnfoldedThread, condition: int) -> list[Term]:
        """The branches that lead to waiting for a condition, as conditions about shared data."""
        found: Guesses = {}
        incoming = _incoming(thread)
        level: dict[tuple[Place, Term], None] = {}
        for move in thread.moves:
            if isinstance(move.label, Wait) and self._form.objects.address(move.label.condition) == condition:
                level[move.source, TRUE] = None
        for _ in range(LIMITS.carried_to_wait):
            following: dict[tuple[Place, Term], None] = {}
            for place, atom in level:
                for move in incoming.get(place, ()):
                    for guess in self._before_or_branched(move, atom):
                        if len(following) < LIMITS.carried_width:
                            following[move.source, guess] = None
                            if guess is not TRUE and not any(map(is_local, guess.variables)):
                                found[guess] = None
            level = following
        return list(found)

    def _before_or_branched(self, move: Move, atom: Term) -> list[Term]:
        """What a condition comes to before a move, and what the move is a branch on."""
        before = pre_image(move, atom, {}, self._bits)
        branched = terms.conjuncts(move.label.condition) if isinstance(move.label, Assume) else ()
        return [*(() if before is None else (before,)), *branched]

    def over_local_moves(self, thread: UnfoldedThread, places: Mapping[Place, Guesses]) -> None:
        """Add what holds at a cut point, carried back over the local moves to it: what a branch means for others."""
        cuts = set(self._form.cuts[thread.number])
        local = [move for move in thread.moves if move.target is not None and move.source not in cuts]
        for _ in range(LIMITS.carried):
            before = sum(map(len, places.values()))
            for move in local:
                assert move.target is not None
                self._over_local_move(move, places[move.source], list(places[move.target]))
            if sum(map(len, places.values())) == before:
                break

    def _over_local_move(self, move: Move, here: Guesses, there: list[Term]) -> None:
        for guess in there:
            before = pre_image(move, guess, {}, self._bits)
            if before is not None and isinstance(move.label, Assume):
                before = disjunction(negate(move.label.condition), before)
            if before is not None and before not in (TRUE, FALSE) and size_of(before) <= LIMITS.depth:
                here[before] = None

    def cases(self, thread: UnfoldedThread, places: Mapping[Place, Guesses]) -> None:
        """Add what conditions about shared data come to before a branch that leads to them, and further back."""
        incoming = _incoming(thread)
        level = {
            (move.source, disjunction(negate(move.label.condition), atom)): None
            for move in thread.moves
            if isinstance(move.label, Assume)
            for atom in list(self.shared)[: LIMITS.cases]
        }
        for _ in range(LIMITS.carried_cases):
            following: dict[tuple[Place, Term], None] = {}
            for at, case in level:
                if case not in (TRUE, FALSE):
                    places[at][case] = None
                for move in incoming.get(at, ()):
                    before = None if isinstance(move.label, Assume) else pre_image(move, case, {}, self._bits)
                    if before is not None and before not in places[move.source]:
                        following[move.source, before] = None
            level = following


def _incoming(thread: UnfoldedThread) -> dict[Place, list[Move]]:
    """The moves that lead to each place."""
    found: dict[Place, list[Move]] = {}
    for move in thread.moves:
        if move.target is not None:
            found.setdefault(move.target, []).append(move)
    return found


def size_of(term: Term) -> int:
    """How many different parts a term has."""
    return sum(1 for _ in terms.postorder(term))
