"""Ranks for locks and ends of threads, from what an outline leaves possible: what is held ranks below the wanted."""

from __future__ import annotations

from pincer.engines.outlines.filtering import GuessFilter
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof.deadlocks import Blocking, DeadlockClaims
from pincer.evidence.thread_proof.outline import Order
from pincer.program.graphs import components

Ranked = tuple[str, int]
"""A lock by its address, or the end of a thread by its number."""


def ranks(filtered: GuessFilter) -> Order | None:
    """An order in which everything held ranks below what is waited for; None if there is a circle."""
    claims = DeadlockClaims(filtered.coarse)
    locks = dict.fromkeys((*claims.locks, *claims.read_write))
    above: dict[Ranked, dict[Ranked, None]] = {("lock", lock): {} for lock in locks}
    above |= {("end", thread.number): {} for thread in filtered.system.threads}
    for found in claims.blocking:
        for wanted, guard in _wanted(filtered, claims, found):
            for held in _held(filtered, claims, found, guard):
                if held == wanted:
                    return None
                above[held][wanted] = None
    groups = list(components(above, lambda node: tuple(above[node])))
    if any(len(group) > 1 for group in groups):
        return None
    numbers = {node: rank for rank, group in enumerate(reversed(groups)) for node in group}
    return Order(
        {number: rank for (kind, number), rank in numbers.items() if kind == "lock"},
        {number: rank for (kind, number), rank in numbers.items() if kind == "end"},
    )


def _wanted(filtered: GuessFilter, claims: DeadlockClaims, found: Blocking) -> list[tuple[Ranked, Node]]:
    """What a move may wait for, with the condition for it."""
    view = filtered.coarse.encoder.view("me", found.thread)
    if found.kind == "permit":
        return []
    if found.kind != "join":
        return [(("lock", found.lock), filtered.coarse.script.true)]
    wanted = [(("end", other.number), claims.is_joined(found, other, view)) for other in filtered.system.threads]
    return [(node, guard) for node, guard in wanted if _is_possible(filtered, found, guard)]


def _held(filtered: GuessFilter, claims: DeadlockClaims, found: Blocking, guard: Node) -> list[Ranked]:
    view = filtered.coarse.encoder.view("me", found.thread)
    script = filtered.coarse.script
    locks = dict.fromkeys((*claims.locks, *claims.read_write))
    guards = {lock: script.conjunction((guard, claims.held(lock, view))) for lock in locks}
    held = [("lock", lock) for lock in locks if _is_possible(filtered, found, guards[lock])]
    return [("end", found.thread.number), *held]


def _is_possible(filtered: GuessFilter, found: Blocking, guard: Node) -> bool:
    view = filtered.coarse.encoder.view("me", found.thread)
    known = filtered.coarse.known((found.thread, found.move.source, view))
    return filtered.questions.refuted((*known, guard), filtered.coarse.script.true, ()) is not None
