"""The checker's automata on words that repeat for ever."""

from __future__ import annotations

from pincer.evidence.pptl.automaton import CheckedAutomaton

from .trees import Letters


def accepts(built: CheckedAutomaton, prefix: Letters, loop: Letters) -> bool:
    """Whether some path on which nothing is owed again and again spells the word."""
    letters = prefix + loop

    def after(place: tuple[int, int]) -> set[tuple[int, int]]:
        node, at = place
        following = at + 1 if at + 1 < len(letters) else len(prefix)
        heard = letters[at].intersection(built.spoken(node))
        return {(target, following) for letter, target in built.moves[node] if letter == heard}

    def reached(start: set[tuple[int, int]]) -> set[tuple[int, int]]:
        found, pending = set(start), list(start)
        while pending:
            fresh = after(pending.pop()) - found
            found |= fresh
            pending += fresh
        return found

    everything = reached({(node, 0) for node in built.initial})
    return any(built.accepting(place[0]) and place in reached(after(place)) for place in everything)
