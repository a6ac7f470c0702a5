"""Trials: which guided searches there are for a property, along which trace sets and how far, in what order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.agse.abstract_system import AbstractSystem, abstract_system
from pincer.engines.agse.abstract_traces import abstract_traces
from pincer.engines.agse.guided_search import Trial
from pincer.engines.agse.limits import AgseLimits
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import TargetSet
from pincer.engines.agse.trace_refinement import TraceSet


class _Lead(Struct, frozen=True):
    """A target set by its number, and for each of its locations the routine of the thread to come there, if known."""

    target: int
    locations: tuple[int, ...]
    routines: tuple[str | None, ...]


def _leads(flow: SystemFlow, targets: tuple[TargetSet, ...], limits: AgseLimits) -> list[_Lead]:
    """All leads, those with several threads first: a thread that waits for itself is rarer than it looks."""
    single = [(i, t.locations) for i, t in enumerate(targets) if t.kind in ("assertion", "user")]
    found = [_Lead(i, locations, (None,) * len(locations)) for i, locations in single]
    cycles = {tuple(sorted(t.locations)): i for i, t in enumerate(targets) if t.kind == "deadlock"}
    for cycle in flow.facts.lock_cycles if cycles else ():
        number = cycles[tuple(sorted(site.source for site in cycle.sites))]
        members = cycle.members[:1] * limits.open_ended_threads if cycle.open_ended else cycle.members
        routines = tuple(member.thread.routine for member in members)
        found.append(_Lead(number, tuple(member.site.source for member in members), routines))
    pairs = {t.accesses: i for i, t in enumerate(targets) if t.kind == "race"}
    for pair in flow.facts.race_pairs if pairs else ():
        if (pair.first, pair.second) in pairs:
            locations = pair.first.location, pair.second.location
            routines = tuple(thread.routine for thread in pair.threads)
            found.append(_Lead(pairs[pair.first, pair.second], locations, routines))
    return sorted(dict.fromkeys(found), key=lambda lead: (len(lead.locations) == 1, lead.target))


def trials(flow: SystemFlow, targets: tuple[TargetSet, ...], limits: AgseLimits) -> Iterator[Trial]:
    """All trials for target sets, in the order of their numbers: every lead in turn, then again and further."""
    systems: dict[int, AbstractSystem] = {}
    leads, number = _leads(flow, targets, limits), 0
    for round_ in limits.rounds:
        for lead in leads:
            if lead.target not in systems:
                systems[lead.target] = abstract_system(flow, lead.locations)
            system = systems[lead.target]
            for i, traces in enumerate(islice(_trace_sets(system, lead, round_.trace_sets), round_.trace_sets)):
                yield Trial(number, lead.target, traces, system, round_, bold=i == 0)
                number += 1


def _trace_sets(system: AbstractSystem, lead: _Lead, most: int) -> Iterator[TraceSet]:
    """Trace sets whose traces begin with the routines of a lead: the first traces, then others for one thread each,
    then others for all of them."""
    choices = []
    for location, routine in zip(lead.locations, lead.routines, strict=True):
        starts = system.starts
        if routine is not None:
            starts = (system.flow.facts.program.procedures[routine].entry,)
        choices.append(list(islice(abstract_traces(replace(system, starts=starts), location), most)))
    if not all(choices):
        return
    first = tuple(traces[0] for traces in choices)
    yield first
    for number in range(1, most):
        others = tuple(traces[min(number, len(traces) - 1)] for traces in choices)
        for i, other in enumerate(others if len(others) > 1 else ()):
            if number < len(choices[i]):
                yield (*first[:i], other, *first[i + 1 :])
        if others != first:
            yield others
