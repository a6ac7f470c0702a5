"""Details about programs with threads: who starts whom, who waits for which lock, and what a search was guided by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from pincer.analysis.lock_order import LockWait
from pincer.analysis.thread_facts import ThreadFacts
from pincer.analysis.threads import AbstractThread
from pincer.engines.agse.abstract_system import AbstractSystem, abstract_system
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import TargetSet, target_sets
from pincer.engines.task import Claim, Proved
from pincer.engines.threads.task import ScheduleSearch
from pincer.evidence.run_conversions import SourceFiles
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import replay
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.memory_regions import AbstractPointer
from pincer.program.thread_labels import Start
from pincer.report.details import Coverage, Details
from pincer.report.details_c import FLOW_NODES, flow_graph, lines_of
from pincer.report.graph import (
    EdgeKind,
    Graph,
    GraphEdge,
    GraphKind,
    GraphNode,
    kinds,
    limited,
    merged_edges,
    shortened,
)
from pincer.report.outline_graphs import outline_graph, outline_invariants
from pincer.report.thread_protection import protection

MOST_SYSTEMS = 3
_END = "the end of the "


def schedule_details(program: ControlFlowProgram, claim: Claim) -> Details:
    """What analysis says about the threads of a program, for the property that was searched within limits."""
    search: ScheduleSearch = claim.explored
    flow = SystemFlow(ThreadFacts(program))
    reached = [edge for edge in program.edges() if edge.source in flow.facts.pointers.reached]
    proof = lines_of(program, reached) if claim.verdict == "safe" else frozenset[int]()
    outline = _outline(claim)
    around = [_threads(flow.facts), _lock_order(flow.facts)]
    return Details(
        (
            *(() if outline is None else (outline_graph(program, outline),)),
            *(reversed(around) if search.kind == "deadlock" else around),
            protection(flow.facts),
            *_systems(flow, target_sets(flow.facts, search.kind)),
            limited(flow_graph(program), FLOW_NODES),
        ),
        Coverage(lines_of(program, program.edges()), _run(program, search), proof),
        () if outline is None else outline_invariants(program, outline),
    )


def _outline(claim: Claim) -> ThreadCertificate | None:
    """The proof, if it is an outline."""
    proof = claim.proof if isinstance(claim, Proved) else None
    is_outline = isinstance(proof, ThreadCertificate) and proof.explored is None and proof.regions is None
    return proof if isinstance(proof, ThreadCertificate) and is_outline else None


def _run(program: ControlFlowProgram, search: ScheduleSearch) -> frozenset[int]:
    """The lines that threads pass before they go wrong."""
    if search.violation is None:
        return frozenset()
    again = replay(Interleaver(program, search.limits), search.violation.schedule)
    return lines_of(program, (edge for transition in again.transitions for edge in transition.edges))


def _name(thread: AbstractThread) -> str:
    return thread.routine if thread.site is None else f"{thread.routine} (line {thread.site.edge.position.line})"


def _threads(facts: ThreadFacts) -> Graph:
    """Threads by the places that start them."""
    threads = facts.threads
    numbers = {thread: str(number) for number, thread in enumerate(threads.all)}
    nodes = tuple(
        GraphNode(
            numbers[thread],
            (_name(thread),),
            kinds(initial=thread.site is None),
            facts.program.procedures[thread.routine].position.line,
            thread.routine,
            detail=(
                ("how many", "any number" if thread.several else "one"),
                ("runs", shortened(", ".join(sorted(thread.procedures)))),
            ),
        )
        for thread in threads.all
    )
    edges = merged_edges(
        GraphEdge(numbers[parent], numbers[thread], "starts")
        for thread in threads.all
        for parent in threads.parents(thread)
    )
    return Graph("Threads", GraphKind.THREADS, nodes, edges)


def _lock_names(program: ControlFlowProgram, pointers: Iterable[AbstractPointer]) -> list[str]:
    """What the source calls the locks, semaphores or threads that pointers may point to."""
    return sorted({_lock_name(program, pointer) for pointer in pointers}) or ["unknown"]


def _lock_name(program: ControlFlowProgram, pointer: AbstractPointer) -> str:
    found = pointer.object
    if found.kind == "thread":
        return f"{_END}{found.name}"
    if found.address is not None and pointer.exact:
        return program.name_at(found.address + pointer.offset) or found.name
    return f"{found.name}+{pointer.offset}" if pointer.offset else found.name


def _lock_order(facts: ThreadFacts) -> Graph:
    """Who holds what while waiting for what; locks on a cycle may be part of a deadlock. Where one of several is meant,
    the picture shows the ways in which it is not the same one. Ends of threads for which nobody waits are left out."""
    pairs = [(wait, held, wanted) for wait in facts.waiting_sites for held, wanted in _held_and_wanted(facts, wait)]
    wanted_by_some = {wanted for _, _, wanted in pairs}
    pairs = [pair for pair in pairs if pair[1] in wanted_by_some or not pair[1].startswith(_END)]
    on_cycles = {member for cycle in facts.lock_cycles for member in cycle.members}
    numbers: dict[str, str] = {}
    for _, held, wanted in pairs:
        numbers.setdefault(held, str(len(numbers)))
        numbers.setdefault(wanted, str(len(numbers)))
    endangered = {wanted for wait, _, wanted in pairs if wait in on_cycles}
    nodes = tuple(
        GraphNode(
            number,
            (text,),
            kinds(error=text in endangered),
            detail=(("on a cycle", "threads may wait for each other here"),) if text in endangered else (),
        )
        for text, number in numbers.items()
    )
    edges = merged_edges(
        GraphEdge(
            numbers[held],
            numbers[wanted],
            f"{wait.thread.routine} (line {wait.site.position.line})",
            EdgeKind.MAY,
        )
        for wait, held, wanted in pairs
    )
    return Graph("Lock order: held while waiting for", GraphKind.LOCK_ORDER, nodes, edges)


def _held_and_wanted(facts: ThreadFacts, wait: LockWait) -> Iterator[tuple[str, str]]:
    held = _lock_names(facts.program, wait.held.pointers)
    wanted = _lock_names(facts.program, wait.wanted)
    several = len(held) > 1 or len(wanted) > 1
    return ((one, other) for one in held for other in wanted if one != other or not several)


def _systems(flow: SystemFlow, targets: tuple[TargetSet, ...]) -> Iterator[Graph]:
    """The abstract systems of the first targets; the search begins with these."""
    more = len(targets) - MOST_SYSTEMS
    for number, target in enumerate(islice(targets, MOST_SYSTEMS)):
        last = number == MOST_SYSTEMS - 1 and more > 0
        note = f"{more} more targets have no picture here" if last else ""
        yield _system(flow, target, abstract_system(flow, target.locations), note)


def _system(flow: SystemFlow, target: TargetSet, system: AbstractSystem, note: str) -> Graph:
    file = flow.facts.program.file
    sources = SourceFiles(Path(file), file)
    nodes = tuple(_location(flow, system, location, sources) for location in sorted(system.locations))
    edges = tuple(
        GraphEdge(str(source), str(following), _entered(flow, source) if following in calls else "", EdgeKind.MAY)
        for source, targets in system.successors.items()
        for calls in (system.call_edges[source],)
        for following in targets
    )
    return Graph(f"Abstract system: {target.description}", GraphKind.ABSTRACT, nodes, edges, note)


def _entered(flow: SystemFlow, location: int) -> str:
    """How a step leads into a function: as a thread, or by a call."""
    return "starts" if any(isinstance(edge.label, Start) for edge in flow.edges(location)) else "calls"


def _location(flow: SystemFlow, system: AbstractSystem, location: int, sources: SourceFiles) -> GraphNode:
    procedure = flow.procedure(location)
    edges = flow.edges(location)
    line = edges[0].position.line if edges else procedure.position.line
    what = (sources.line(edges[0].position) if edges else None) or f"return from {procedure.name}"
    marks = kinds(error=location in system.targets, initial=location in system.starts)
    return GraphNode(str(location), (f"line {line}: {what}",), marks, line, procedure.name)
