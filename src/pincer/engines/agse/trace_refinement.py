"""Refinement (Fig. 6): when a branch does not go where a trace wants it, a definition of its variables comes first."""

from __future__ import annotations

import random
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from itertools import islice

from pincer.analysis.definitions import DataDependence, DataPlaces, used_by
from pincer.engines.agse.abstract_system import AbstractSystem
from pincer.engines.agse.abstract_traces import AbstractTrace, abstract_traces
from pincer.engines.agse.followed_traces import Missed
from pincer.engines.agse.limits import AgseLimits
from pincer.logic import bitvectors
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import Assign, Assume, Call, Check, Edge, Free, Label, Store
from pincer.program.labels import written_register

TraceSet = tuple[AbstractTrace, ...]


@dataclass
class TraceRefinement:
    """The abstract system as it grows. Where the paper picks at random, `bold` refinement picks what looks best."""

    system: AbstractSystem
    dice: random.Random
    bold: bool
    limits: AgseLimits = field(default_factory=AgseLimits)
    _added: set[int] = field(default_factory=set)
    _last: tuple[int, Edge] | None = None
    _copies: int = 1

    def __post_init__(self) -> None:
        facts = self.system.flow.facts
        self._dependence = DataDependence(facts.calls, facts.pointers)

    def refine_trace(self, traces: TraceSet, missed: Missed, executed: Set[Edge]) -> TraceSet | None:
        """The trace set with a definition in front of the trace that is stuck; None if nothing defines the branch.

        The same definition may come again and again: that is how a counter gets over a bound. `executed` is what was
        done before the branch went wrong: a constant that was assigned there has not helped."""
        flow, stuck = self.system.flow, missed.remaining
        definitions = list(self._definitions(missed, executed))
        while definitions:
            chosen = definitions.pop(self._pick(len(definitions)))
            found = self._get_abstract_trace(chosen.source)
            if found is None:
                continue
            whole = traces[missed.trace]
            prefix = whole[: len(whole) - len(stuck)]
            lock = next((b for a in prefix for b in found if flow.same_lock(a, b)), None)
            if lock is not None:
                found = (*found, *self._release(lock, found[-1]))
            more = found * self._times(missed.taken.source, chosen)
            return (*traces[: missed.trace], (*more, *whole), *traces[missed.trace + 1 :])
        return None

    def _times(self, branch: int, definition: Edge) -> int:
        """How often a definition is put in front of a trace: twice as often whenever the same did not do at the same
        branch, where the paper puts it there once more. So a counter gets far in few rounds."""
        again = self._last == (branch, definition)
        self._last = branch, definition
        self._copies = min(2 * self._copies, self.limits.most_copies) if again else 1
        return self._copies

    def _pick(self, count: int) -> int:
        """The first one most of the time; always, if refinement is to be bold."""
        number = 0
        while not self.bold and number + 1 < count and self.dice.random() < self.limits.next_choice:
            number += 1
        return number

    def _definitions(self, missed: Missed, executed: Set[Edge]) -> Iterator[Edge]:
        """L_v, most promising first: definitions by values that satisfy the branch, then those by other threads."""
        flow = self.system.flow
        branch, label = missed.taken.source, missed.taken.label
        used = used_by((label.condition,), flow.facts.pointers) if isinstance(label, Check) else flow.uses(branch)
        wanted = _wanted(flow.edges(branch), missed)
        here = flow.facts.calls.home(branch)
        found: dict[Edge, int] = dict.fromkeys((*self._returned(used), *self._ends_of_objects(label)), 0)
        for level, edge in self._dependence.definitions_of(used):
            if level < 2:
                found.setdefault(edge, level)
        running = flow.facts.threads.running

        def promise(edge: Edge) -> tuple[int, int, bool]:
            home = flow.facts.calls.home(edge.source)
            own = set(running.get(home, ())) <= set(running.get(here, ()))
            helps = _satisfies(edge, wanted)
            return found[edge], 3 if helps and edge in executed and _constant(edge) is not None else helps, own

        return iter(sorted(found, key=promise))

    def _returned(self, used: DataPlaces) -> Iterator[Edge]:
        """What procedures return whose results a branch uses: which one it is, their own branches decide."""
        procedures = self.system.flow.facts.program.procedures
        for site in self.system.flow.facts.calls.sites:
            label = site.edge.label
            if isinstance(label, Call) and label.result in used.registers:
                result = procedures[site.callee].result
                for edge in procedures[site.callee].edges:
                    if result is not None and written_register(edge.label) is result:
                        yield edge

    def _ends_of_objects(self, label: Label) -> Iterator[Edge]:
        """Where objects end, which checks of pointers depend on."""
        if isinstance(label, Check) and any(part.op == "room" for part in bitvectors.state_reads(label.condition)):
            for edge in self.system.flow.facts.program.edges():
                if isinstance(edge.label, Free) and edge.source in self.system.flow.facts.pointers.reached:
                    yield edge

    def _get_abstract_trace(self, definition: int) -> AbstractTrace | None:
        """A trace from a start of the program to a definition, in the system extended by it (line 3)."""
        if definition not in self._added:
            self._added.add(definition)
            self.system = self.system.extended(self._added)
        most = 1 if self.bold else self.limits.trace_choices
        traces = list(islice(abstract_traces(self.system, definition), most))
        return traces[self._pick(len(traces))] if traces else None

    def _release(self, lock: int, definition: int) -> tuple[int, ...]:
        """Where the lock that was acquired is released after the definition (line 7)."""
        flow = self.system.flow
        ahead = [at for at in flow.procedure(lock).outgoing if flow.release_lock(at, lock) and flow.cfg_path(lock, at)]
        if flow.procedure(lock) is flow.procedure(definition):
            ahead = [at for at in ahead if flow.cfg_path(definition, at)]
        return tuple(ahead[:1])


def _wanted(edges: tuple[Edge, ...], missed: Missed) -> Term | None:
    """The condition under which the branch would have gone the right way, or the check have failed."""
    if isinstance(missed.taken.label, Check):
        return negate(missed.taken.label.condition)
    others = [edge.label for edge in edges if edge is not missed.taken]
    label = others[0] if len(others) == 1 else None
    return label.condition if isinstance(label, Assume) else None


def _constant(edge: Edge) -> Term | None:
    """The constant that a definition gives."""
    match edge.label:
        case Assign(value=value) | Store(value=value) if value.op == "bvconst":
            return value
    return None


def _satisfies(edge: Edge, condition: Term | None) -> int:
    """0 if a definition gives a constant that satisfies a condition on one value, 2 if it does not, 1 if unknown."""
    value = _constant(edge)
    if value is None or condition is None or len(condition.variables) != 1 or bitvectors.state_reads(condition):
        return 1
    (variable,) = condition.variables
    constant = bitvectors.constant_value(value)
    if constant is None or bitvectors.width(variable) != bitvectors.width(value):
        return 1
    return 0 if evaluate(condition, {variable: constant}) else 2
