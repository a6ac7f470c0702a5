"""Does an automaton accept all models of a formula?

Finite ones: what remains of the formula letter by letter is compared with all nodes that the automaton may be in.

Infinite ones: by fair simulation. Two players read a word: one moves in the automaton whose words are to be accepted,
the other must follow with the same letters in the one that is to accept them, and pass accepting nodes again and again
if the first does. If the second player can always do so, every infinite word of the first automaton is one of the
second. At first that player may be in all nodes at once that the letters so far lead to, and settle on one later; only
then does accepting count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeAlias

from pincer.errors import PincerError
from pincer.evidence.pptl.automaton import CheckedAutomaton, letters_over
from pincer.evidence.pptl.formula import FALSE, Formula, propositions
from pincer.evidence.pptl.truth import Letter, TruthJudge
from pincer.program.automaton import Automaton, holds

Pair: TypeAlias = tuple[int, int | frozenset[int]]
"""Where the two players are: the second one in a node, or in any of some nodes."""


class Player(Protocol):
    """An automaton as the game sees it."""

    initial: tuple[int, ...]

    def accepting(self, node: int) -> bool: ...
    def spoken(self, node: int) -> frozenset[str]:
        """The propositions that matter in a node."""

    def after(self, node: int, letter: Letter) -> frozenset[int]: ...


class GivenPlayer:
    """The automaton that a certificate brings along."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self.initial = automaton.initial
        self._edges = {node: automaton.leaving(node) for node in range(automaton.size)}

    def accepting(self, node: int) -> bool:
        return self._automaton.accepting[node]

    def spoken(self, node: int) -> frozenset[str]:
        return frozenset(name for edge in self._edges[node] for cube in edge.guard for name, _ in cube)

    def after(self, node: int, letter: Letter) -> frozenset[int]:
        return frozenset(edge.target for edge in self._edges[node] if holds(edge.guard, letter))


class BuiltPlayer:
    """The automaton that the checker has built, without nodes that accept nothing."""

    def __init__(self, automaton: CheckedAutomaton) -> None:
        self._automaton = automaton
        self.initial = tuple(node for node in automaton.initial if node in automaton.useful)
        self._after: dict[tuple[int, Letter], frozenset[int]] = {}

    def accepting(self, node: int) -> bool:
        return self._automaton.accepting(node)

    def spoken(self, node: int) -> frozenset[str]:
        return frozenset(self._automaton.spoken(node))

    def after(self, node: int, letter: Letter) -> frozenset[int]:
        heard = letter & self.spoken(node)
        key = node, heard
        found = self._after.get(key)
        if found is None:
            moves = self._automaton.moves[node]
            targets = (target for read, target in moves if read == heard and target in self._automaton.useful)
            found = self._after[key] = frozenset(targets)
        return found


_MOST_RESTS = 20_000


def accepts_finite(automaton: Automaton, formula: Formula) -> bool:
    """Whether the automaton accepts every finite model of the formula."""
    judge = TruthJudge()
    edges = {node: automaton.leaving(node) for node in range(automaton.size)}
    names = {name for edge in automaton.edges for cube in edge.guard for name, _ in cube}
    names.update(name for guard in automaton.ends for cube in guard for name, _ in cube)
    letters = letters_over(names.union(propositions(formula)))
    seen = {(formula, frozenset(automaton.initial))}
    pending = list(seen)
    while pending:
        rest, nodes = pending.pop()
        for letter in letters:
            if judge.ends(rest, letter) and not any(holds(automaton.ends[node], letter) for node in nodes):
                return False
            following = judge.rest(rest, letter)
            targets = frozenset(edge.target for node in nodes for edge in edges[node] if holds(edge.guard, letter))
            if following is not FALSE and (following, targets) not in seen:
                seen.add((following, targets))
                pending.append((following, targets))
        if len(seen) > _MOST_RESTS:
            raise PincerError("the automaton of the formula is too large to be checked")
    return True


def accepts_infinite(follower: Player, leader: Player) -> bool:
    """Whether the follower wins from some initial node against each initial node of the leader."""
    winning = _winning(_Replies(follower, leader))
    return all(winning & _settled(node, frozenset(follower.initial)) for node in leader.initial)


def _settled(node: int, others: frozenset[int]) -> frozenset[Pair]:
    """All ways to be in some nodes: in any of them, or settled on one; none if there are no nodes."""
    everywhere: frozenset[Pair] = frozenset(((node, others),) if len(others) > 1 else ())
    return everywhere.union((node, other) for other in others)


class _Replies:
    """The pairs that a play can reach. `moves[p]` has for each move of the leader the pairs that the follower can
    reply with."""

    def __init__(self, follower: Player, leader: Player) -> None:
        self.follower = follower
        self.leader = leader
        self.moves: dict[Pair, tuple[frozenset[Pair], ...]] = {}
        pending = [pair for node in leader.initial for pair in _settled(node, frozenset(follower.initial))]
        while pending:
            pair = pending.pop()
            if pair not in self.moves:
                self.moves[pair] = tuple(self._asked(pair))
                pending += (after for options in self.moves[pair] for after in options)

    def _asked(self, pair: Pair) -> Iterable[frozenset[Pair]]:
        node, others = pair
        places = (others,) if isinstance(others, int) else tuple(others)
        found: set[frozenset[Pair]] = set()
        for letter in letters_over(self.leader.spoken(node).union(*map(self.follower.spoken, places))):
            replies = frozenset(reply for place in places for reply in self.follower.after(place, letter))
            for after in self.leader.after(node, letter):
                settled = isinstance(others, int)
                found.add(frozenset((after, reply) for reply in replies) if settled else _settled(after, replies))
        return found

    def priority(self, pair: Pair) -> int:
        """2: the follower accepts; 1: only the leader does; 0: neither. The highest that repeats decides."""
        node, other = pair
        return 2 if isinstance(other, int) and self.follower.accepting(other) else int(self.leader.accepting(node))


def _winning(replies: _Replies) -> set[Pair]:
    """The pairs from which the follower wins: a parity game of three priorities, by nested fixpoints."""
    priorities = {pair: replies.priority(pair) for pair in replies.moves}
    often = set(priorities)
    while True:
        seldom: set[Pair] = set()
        while True:
            never = set(priorities)
            while True:
                targets: Mapping[int, set[Pair]] = {2: often, 1: seldom, 0: never}
                kept = {
                    pair
                    for pair, priority in priorities.items()
                    if all(options & targets[priority] for options in replies.moves[pair])
                }
                if kept == never:
                    break
                never = kept
            if never == seldom:
                break
            seldom = never
        if seldom == often:
            return often
        often = seldom
