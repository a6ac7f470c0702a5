"""What strategies learn about one property of a C program without threads, for each other; and what they answer.

A board is written by all strategies of a run and trusted by all: facts on it are inductive, stops really happened. What
stands in the way of any proof (an execution that nothing is modelled about) is asked here, in one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.analysis.error_distances import ErrorDistances
from pincer.engines.invariants.sight import Sight
from pincer.evidence.c.trace import CTest, InputVector
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.stepping import Stop
from pincer.logic.terms import Term
from pincer.program.control_flow import Check, ControlFlowProgram, Edge, Fail, LeftAllocated
from pincer.program.property import PropertyKind
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run

Inputs: TypeAlias = Mapping[Term, int]

_WITHOUT_RESULT = frozenset(("division", "shift", "overlap", "arguments", "jump", "unreachable", "conversion"))
"""Undefined behaviour after which executions go on in ways that are not modelled."""


class StuckProcedure(Struct, frozen=True):
    """A procedure in whose loops regions multiply, and the states at loop heads that have to be excluded."""

    sight: Sight
    bad: Mapping[int, Sequence[Term]]


class Board(Struct):
    """A property of a program as it is written, the run that decides it, and what is known so far.

    `inputs` are those of tests that go new ways or end where behaviour is undefined, `undefined` and `unsupported` the
    places where tests have ended; `facts` hold at locations of the program that regions are about, whoever calls;
    `stuck` procedures, by name, need more of them, and were asked for so many `requests`; `distances` tell how far
    errors are."""

    program: ControlFlowProgram
    kind: PropertyKind
    run: Run
    inputs: list[Inputs] = []
    undefined: dict[Edge, Stop] = {}
    unsupported: dict[Edge, str] = {}
    facts: dict[int, tuple[Term, ...]] = {}
    stuck: dict[str, StuckProcedure] = {}
    requests: int = 0
    distances: ErrorDistances | None = None

    def is_violation(self, stop: Stop) -> bool:
        """Whether a test that ended so violates the property."""
        return stop.kind == ("fail" if self.kind == "assertions" else "check")

    def ended(self, stop: Stop) -> None:
        """A test has ended where behaviour is undefined, or where nothing is modelled."""
        if stop.edge is not None and stop.kind == "check":
            self.undefined[stop.edge] = stop
        elif stop.edge is not None and isinstance(stop.edge.label, LeftAllocated):
            # All is well in this execution; regions cannot tell that it is in others.
            self.unsupported[stop.edge] = f"{stop.edge.label.what} {stop.edge.position.said}"
        elif stop.edge is not None and stop.kind == "unsupported":
            self.unsupported[stop.edge] = f"{stop.message} {stop.edge.position.said}"

    def ask_for_facts(self, stuck: StuckProcedure) -> None:
        self.stuck[stuck.sight.procedure.name] = stuck
        self.requests += 1

    def add_facts(self, known: Mapping[int, Sequence[Term]]) -> None:
        for place, facts in known.items():
            self.facts[place] = tuple(dict.fromkeys((*self.facts.get(place, ()), *facts)))

    def objection(self) -> Reason | None:
        """Why no argument about regions or values is a proof, if there is a reason.

        After some undefined operations nothing, not even a flat view of memory, says how an execution goes on; that
        matters where there is an assertion."""
        if self.unsupported:
            return Reason("unsupported: " + next(iter(self.unsupported.values())), Cause.UNSUPPORTED)
        has_assertions = any(isinstance(edge.label, Fail) for edge in self.program.edges())
        kinds = {edge.label.kind for edge in self.undefined if isinstance(edge.label, Check)}
        if has_assertions and not kinds.isdisjoint(_WITHOUT_RESULT):
            return Reason("what follows an operation without a defined result cannot be told")
        return None


class Holds(Struct, frozen=True):
    """The property holds; the argument that it rests on, with its evidence."""

    check: Literal["paths", "merged", "simulation", "regions", "cut points"]
    proofs: tuple[ProcedureProof, ...] = ()
    execution: Paths | MergedProof | CutPointProof | None = None


class Violated(Struct, frozen=True):
    """A test shows a violation, and was repeated from the start of the program as it is written, along some edges."""

    test: CTest
    inputs: InputVector
    passed: frozenset[Edge]


class NoAnswer(Struct, frozen=True):
    """No strategy will decide the property: something on the way is not modelled."""

    reason: Reason


Answer: TypeAlias = Holds | Violated | NoAnswer
