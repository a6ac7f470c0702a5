"""What the calls of one process have to do with each other: its numbers stay, its clock only goes on, and numbers that
are drawn repeat where their seed is set again.

Every call is an input of its own, which a compiled test delivers; registers that no program has tell what came before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from pincer.frontends.c.lowering.calls import Site
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.values import Value, resized
from pincer.frontends.c.semantics.types import Integer
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume
from pincer.program.registers import Role, register_of
from pincer.program.thread_labels import AtomicBegin, AtomicEnd

_CHANGED_BY = {
    "getpid": frozenset[str](),
    "getuid": frozenset(("setuid", "setreuid", "setresuid")),
    "geteuid": frozenset(("setuid", "seteuid", "setreuid", "setresuid")),
    "getgid": frozenset(("setgid", "setregid", "setresgid")),
    "getegid": frozenset(("setgid", "setegid", "setregid", "setresgid")),
}
_SEEDED_BY = {
    **dict.fromkeys(("rand", "random", "srand", "srandom"), frozenset(("srand", "srandom"))),
    **dict.fromkeys(("drand48", "lrand48", "mrand48", "srand48"), frozenset(("srand48",))),
}
NUMBERS = frozenset(_CHANGED_BY)
"""Functions that tell a number of the process, which nothing but the process itself changes."""
SEEDS = frozenset(("srand", "srandom", "srand48"))
_WIDE = 64


def stay(site: Site, result: Value) -> None:
    """A number of the process is the same each time; 0 stands for one that nobody has asked for, others are higher by
    one."""
    if not isinstance(result.type, Integer) or _are_called(site, _CHANGED_BY[site.name]):
        return
    last = _register(site, site.name)
    number = bitvectors.binary("bvadd", resized(result.term, _WIDE, False), bitvectors.constant(1, _WIDE))
    fresh = terms.equal(last, bitvectors.constant(0, _WIDE))
    with _at_once(site):
        site.frame.emit(Assume(terms.disjunction(fresh, terms.equal(last, number))), site.node)
        site.frame.emit(Assign(last, number), site.node)


def go_on(site: Site, result: Value) -> None:
    """The time that the process has used grows, where it is known at all."""
    if not isinstance(result.type, Integer):
        return
    last = _register(site, site.name)
    now = resized(result.term, _WIDE, True)
    unknown = terms.equal(now, bitvectors.constant(2**_WIDE - 1, _WIDE))
    with _at_once(site):
        site.frame.emit(Assume(terms.disjunction(unknown, bitvectors.compare("bvsle", last, now))), site.node)
        site.frame.emit(Assign(last, terms.conditional(unknown, last, now)), site.node)


def draw(site: Site) -> None:
    """A random number has been drawn; that matters where the program sets seeds."""
    if _are_called(site, _SEEDED_BY[site.name]):
        with _at_once(site):
            site.frame.emit(Assign(_drawn(site), bitvectors.constant(1, _WIDE)), site.node)


def seed(site: Site) -> None:
    """The seed is set. Numbers that were drawn before may come again, so that not any number may be drawn."""
    before = site.frame.temporary(_WIDE)
    with _at_once(site):
        site.frame.emit(Assign(before, _drawn(site)), site.node)
    with only_if(site.frame, terms.equal(before, bitvectors.constant(1, _WIDE)), site.node):
        what = f"{site.name} after random numbers have been drawn, which may come again"
        site.frame.unsupported(what, site.node)


def _drawn(site: Site) -> Term:
    return _register(site, "drawn_" + min(_SEEDED_BY[site.name]))


def _register(site: Site, name: str) -> Term:
    register = register_of(None, name, _WIDE, Role.GHOST)
    site.frame.unit.initial.setdefault(register, 0)
    return register


@contextmanager
def _at_once(site: Site) -> Iterator[None]:
    """One step for other threads, which no other call comes between."""
    threaded = site.frame.unit.threaded
    if threaded:
        site.frame.emit(AtomicBegin(), site.node)
    yield
    if threaded:
        site.frame.emit(AtomicEnd(), site.node)


def _are_called(site: Site, names: Collection[str]) -> bool:
    """Whether the program calls one of these functions anywhere, or mentions it."""
    usage = site.frame.unit.program.usage
    reached = [usage.functions[name] for name in usage.reachable if name in usage.functions]
    return any(not (part.calls | part.names).isdisjoint(names) for part in reached)
