"""Runs without an end through finitely many states: is one of them fair?

A state says which threads owe a step, because they can take one, and which states follow by a step of which thread. A
run that stays in a component for ever is weakly fair if every thread steps in it or sometimes owes nothing, and
strongly fair if every thread steps in it or never owes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincer.program.property import Fairness


class Junction(Struct, frozen=True):
    """A state: the threads that owe a step, and the steps, each a thread and the number of the state that follows. The
    program may end with the next step (`ends`), or stand still for ever (`stands`)."""

    owing: frozenset[int]
    steps: tuple[tuple[int, int], ...]
    ends: bool = False
    stands: bool = False


NOWHERE = Junction(frozenset(), ())
"""A state from which no run goes on."""


def fair_component(
    junctions: Sequence[Junction], fairness: Fairness, accepting: Sequence[bool] | None = None
) -> frozenset[int] | None:
    """States among which a fair run can stay for ever, None if there are none; some `accepting` ones are among them, if
    that matters."""
    waiting = [frozenset(range(len(junctions)))]
    while waiting:
        for members in components(junctions, waiting.pop()):
            inner = {thread for n in members for thread, to in junctions[n].steps if to in members}
            if not inner or not (accepting is None or any(accepting[n] for n in members)):
                continue
            owing = [junctions[n].owing - inner for n in members]
            if fairness == "none" or not frozenset[int]().union(*owing):
                return members
            if fairness == "strong":
                waiting.append(frozenset(n for n in members if junctions[n].owing <= inner))
            elif not owing[0].intersection(*owing[1:]):
                return members
    return None


def components(junctions: Sequence[Junction], among: frozenset[int]) -> Iterator[frozenset[int]]:
    """The strongly connected components of some states (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in sorted(among):
        work = [] if root in index else [root]
        while work:
            node = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            following = [to for _, to in junctions[node].steps if to in among]
            new = next((to for to in following if to not in index), None)
            if new is not None:
                work.append(new)
                continue
            work.pop()
            low[node] = min([low[node], *(low[to] for to in following if to in on_stack)])
            if low[node] == index[node]:
                yield _taken(stack, on_stack, node)


def _taken(stack: list[int], on_stack: set[int], first: int) -> frozenset[int]:
    """The end of the stack from a state on, which leaves it."""
    members: set[int] = set()
    while first not in members:
        members.add(stack.pop())
    on_stack -= members
    return frozenset(members)
