"""Executions after which a formula is false whatever follows, or that end in a state in which it is false."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.unfolding import letter_of, possible_nodes
from pincer.engines.sampling.inputs import input_vector
from pincer.engines.termination.limits import LIMITS
from pincer.engines.violation import told_steps
from pincer.errors import Position
from pincer.evidence.c.rounds import Round, WatchedRounds
from pincer.evidence.c.trace import CTest, Failure
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester
from pincer.logic.terms import Term
from pincer.program.automaton import Automaton, holds
from pincer.program.control_flow import ControlFlowProgram, Observe
from pincer.program.stuck import always_goes_on


class Judged(Struct, frozen=True):
    """Where an execution violates a formula: the number of the observation, whether it ends there, and the inputs."""

    observation: int
    ended: bool
    values: Mapping[Term, int]


class WordJudge:
    """Looks at executions; `found` is the shortest that violates the formula.

    A beginning after which the formula is false is a violation only if some run begins like this: where no assumption
    can fail, every beginning goes on."""

    def __init__(self, program: ControlFlowProgram, automaton: Automaton) -> None:
        self._automaton = automaton
        self._certain = automaton.certain()
        self._goes_on = always_goes_on(program)
        self.found: Judged | None = None

    def __call__(self, path: Sequence[Node]) -> None:
        observations, lost = 0, None
        for node, nodes in zip(path, possible_nodes(self._automaton, path), strict=True):
            observed = node.edge.label if node.edge is not None else None
            if not isinstance(observed, Observe):
                continue
            observations += 1
            if observed.last and any(holds(self._automaton.ends[q], letter_of(node, observed)) for q in nodes):
                self._keep(Judged(observations, True, dict(node.state.values)))
                return
            if lost is None and self._goes_on and self._certain in nodes:
                lost = Judged(observations, False, dict(node.state.values))
        if lost is not None:
            self._keep(lost)

    def _keep(self, judged: Judged) -> None:
        if self.found is None or judged.observation < self.found.observation:
            self.found = judged


def finite_run(program: ControlFlowProgram, found: Judged, predicates: Mapping[str, str]) -> EndlessRun | None:
    """The execution as evidence: of the program as it is written, up to the observation that decides.

    `predicates` are those that compiled code can look at everywhere."""
    tester = Tester(World(program, concrete=True))
    node, steps, seen = tester.root(found.values), 0, 0
    written = _written(program)
    visits: dict[tuple[Position, int], int] = {}
    while seen < found.observation:
        following = tester.advance(node)
        if isinstance(following, Stop) or steps > LIMITS.steps_written:
            return None
        node, steps = following, steps + 1
        if node.edge is not None and isinstance(node.edge.label, Observe):
            seen += 1
            visits[written[id(node.edge)]] = visits.get(written[id(node.edge)], 0) + 1
    edge = node.edge
    assert edge is not None and isinstance(edge.label, Observe)
    letter = letter_of(node, edge.label)
    said = [f"({text})" if name in letter else f"!({text})" for name, text in predicates.items()]
    message = (
        "the run ends here, and the property is false of it" if found.ended else "the property cannot hold any more"
    )
    test = CTest(
        file=program.file,
        property="temporal",
        kind="temporal",
        inputs=input_vector(node),
        steps=told_steps(program, node),
        failure=Failure(edge.position, message),
        data_model=program.layout.data_model,
        entry=program.entry_function,
    )
    condition = " && ".join(said) or "1"
    place = Round(edge.position, condition, visits[written[id(edge)]] - 1, "end" if found.ended else "after")
    return EndlessRun(test, (), (), steps, WatchedRounds((place,), 0), len(test.steps), "", ended=found.ended)


def _written(program: ControlFlowProgram) -> dict[int, tuple[Position, int]]:
    """Where edges are in the source: a function that calls itself may be several procedures, whose edges keep their
    order."""
    procedures = program.procedures.values()
    return {id(edge): (edge.position, number) for made in procedures for number, edge in enumerate(made.edges)}
