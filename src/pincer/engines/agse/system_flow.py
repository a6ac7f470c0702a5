"""The control flow of the entire system with the functions of the paper's section 4.1.

Its predicates on pairs of locations are here the sets of locations that are in relation with one: `invoked` is
callEdge, `icfg_successors` give icfgPath, `controllers` controlD (by post-dominators), `reaching` reaches.

Locations of the paper are those of the control flow; the statement at a location is what its outgoing edges do. A
thread that is started counts as a call of its routine. Temporaries of the front end are looked through: a branch uses
the variables that its temporaries were read from.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pincer.analysis.definitions import DataPlaces, branch_terms, used_by
from pincer.analysis.locks import ConcernedLocks, lock_argument, named_lock
from pincer.analysis.post_dominance import PostDominance, post_dominance
from pincer.analysis.reaching_definitions import ReachingDefinitions, reaching_definitions, written_by_procedures
from pincer.analysis.thread_facts import ThreadFacts
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Edge, Label, Procedure
from pincer.program.graphs import reachable
from pincer.program.registers import is_temporary
from pincer.program.thread_labels import Lock, Post, SemaphoreWait, Unlock


class SystemFlow:
    """The control flow of the entire system, with its relations between locations, all from the analyses."""

    def __init__(self, facts: ThreadFacts) -> None:
        self.facts = facts
        self._post: dict[str, PostDominance] = {}
        self._reaching: dict[str, ReachingDefinitions] = {}
        self._ahead: dict[int, set[int]] = {}
        self._locks: dict[int, tuple[Label | None, ConcernedLocks | None]] = {}

    def procedure(self, location: int) -> Procedure:
        """The procedure of a location."""
        return self.facts.program.procedures[self.facts.calls.home(location)]

    def edges(self, location: int) -> tuple[Edge, ...]:
        """The statement at a location."""
        return self.procedure(location).outgoing.get(location, ())

    def start(self, location: int) -> bool:
        return self.procedure(location).entry == location

    def branch(self, location: int) -> bool:
        """Whether conditions decide how to go on; an assumption is a branch with one way only."""
        return any(isinstance(edge.label, Assume) for edge in self.edges(location))

    def acquire_lock(self, location: int) -> bool:
        return self._acquired(location) is not None

    def release_lock(self, location: int, acquisition: int) -> bool:
        """Whether the lock released at a location may be the one that was acquired at another."""
        operation, released = self._lock(location)
        acquired = self._acquired(acquisition)
        if released is None or acquired is None or not isinstance(operation, Unlock | Post):
            return False
        return any(acquired.may_be(pointer) for pointer in released.pointers)

    def same_lock(self, first: int, second: int) -> bool:
        """Whether the two may acquire the lock on the same object (section 6)."""
        mine, theirs = self._acquired(first), self._acquired(second)
        return mine is not None and theirs is not None and any(mine.may_be(pointer) for pointer in theirs.pointers)

    def _acquired(self, location: int) -> ConcernedLocks | None:
        operation, named = self._lock(location)
        return named if isinstance(operation, Lock | SemaphoreWait) else None

    def _lock(self, location: int) -> tuple[Label | None, ConcernedLocks | None]:
        """The operation on a lock at a location, and which lock it is about."""
        if location not in self._locks:
            found = ((edge, term) for edge in self.edges(location) if (term := lock_argument(edge)) is not None)
            edge, term = next(found, (None, None))
            named = None if term is None else named_lock(term, self.facts.threads, self.facts.pointers)
            self._locks[location] = None if edge is None else edge.label, named
        return self._locks[location]

    def invoked(self, location: int) -> tuple[int, ...]:
        """The starts of the procedures that a call site invokes."""
        sites = (site for edge in self.edges(location) for site in self.facts.calls.at_edge.get(edge, ()))
        return tuple(dict.fromkeys(self.facts.program.procedures[site.callee].entry for site in sites))

    def cfg_path(self, location: int, other: int) -> bool:
        """Whether a path of at least one edge leads from one location to the other within a procedure."""
        if location not in self._ahead:
            following = [edge.target for edge in self.edges(location)]
            self._ahead[location] = reachable(following, lambda at: [edge.target for edge in self.edges(at)])
        return other in self._ahead[location]

    def icfg_successors(self, location: int) -> list[int]:
        """One step of an interprocedural path without returns."""
        return [edge.target for edge in self.edges(location)] + list(self.invoked(location))

    def icfg_predecessors(self, location: int) -> list[int]:
        """One step of such a path backwards."""
        before = [edge.source for edge in self.procedure(location).incoming.get(location, ())]
        if self.start(location):
            sites = self.facts.calls.to_procedure.get(self.facts.calls.home(location), ())
            before.extend(site.edge.source for site in sites)
        return before

    def post_dominance(self, location: int) -> PostDominance:
        name = self.facts.calls.home(location)
        if name not in self._post:
            self._post[name] = post_dominance(self.facts.program.procedures[name])
        return self._post[name]

    def controllers(self, location: int) -> tuple[Edge, ...]:
        """The branch outcomes that a location is control dependent on."""
        return self.post_dominance(location).controllers.get(location, ())

    def uses(self, location: int) -> DataPlaces:
        """The variables of a branch, read through temporaries."""
        return self._through_temporaries(location)[0]

    def reaching(self, location: int) -> tuple[int, ...]:
        """The locations whose definitions reach the branch at a location, within the procedure."""
        return self._through_temporaries(location)[1]

    def _through_temporaries(self, location: int) -> tuple[DataPlaces, tuple[int, ...]]:
        """What the branch at a location uses, and where that is defined in its procedure."""
        reaching = self._definitions(location)
        variables = DataPlaces()
        found: dict[int, None] = {}
        waiting = [(location, term) for term in branch_terms(self.edges(location))]
        seen = set(waiting)
        while waiting:
            at, term = waiting.pop()
            used = used_by((term,), self.facts.pointers)
            named = frozenset(register for register in used.registers if not is_temporary(register))
            variables = variables.joined(DataPlaces(named, used.regions))
            for definition in reaching.of(at, (term,)):
                edge = definition.edge
                held = _temporary_value(edge)
                if definition.by_callee:
                    continue
                if held is None:
                    found[edge.source] = None
                elif (edge.source, held) not in seen:
                    seen.add((edge.source, held))
                    waiting.append((edge.source, held))
        return variables, tuple(found)

    def _definitions(self, location: int) -> ReachingDefinitions:
        name = self.facts.calls.home(location)
        if name not in self._reaching:
            procedure = self.facts.program.procedures[name]
            facts = self.facts
            self._reaching[name] = reaching_definitions(procedure, facts.threads, facts.pointers, self._written)
        return self._reaching[name]

    @cached_property
    def _written(self) -> Mapping[str, DataPlaces]:
        return written_by_procedures(self.facts.calls, self.facts.pointers)


def _temporary_value(edge: Edge) -> Term | None:
    """The value that an edge keeps in a temporary."""
    label = edge.label
    return label.value if isinstance(label, Assign) and is_temporary(label.register) else None
