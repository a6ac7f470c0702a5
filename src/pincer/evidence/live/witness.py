"""The file in which a run that violates a temporal property is kept, and what it says about the property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.gcl.replay import trace_from_json, trace_to_json
from pincer.evidence.live.trace import LiveTrace, RunKind
from pincer.frontends.gcl import formula_text, parse_formula
from pincer.program.guarded import GuardedProgram, TemporalProperty
from pincer.runtime.codec import Format


class LiveWitness(Struct, frozen=True):
    """A run as it is kept: with the formula, and its propositions as GCL text."""

    file: str
    sha256: str
    constants: Mapping[str, int]
    property: str
    formula: str
    propositions: Mapping[str, str]
    kind: RunKind
    loop_from: int | None
    trace: Sequence[Any]

    def wanted(self, program: GuardedProgram) -> TemporalProperty:
        """The property that the run violates."""
        if self.sha256 != program.sha256:
            raise PincerError(f"the run was made for another version of {program.file} (its hash differs)")
        if dict(self.constants) != dict(program.constants):
            made, given = dict(self.constants), dict(program.constants)
            raise PincerError(f"the run was made with constants {made}, the program has {given}")
        return recorded_property(program, self.property, self.formula, self.propositions)

    def of(self, program: GuardedProgram) -> LiveTrace:
        return LiveTrace(self.kind, trace_from_json(program, self.property, self.trace), self.loop_from)


def recorded_property(
    program: GuardedProgram, name: str, formula: str, propositions: Mapping[str, str]
) -> TemporalProperty:
    """The property that evidence is about: as the program declares it, if it declares one of that name."""
    read = tuple((one, parse_formula(text, program, in_property=True)) for one, text in propositions.items())
    for declared in program.temporal:
        if declared.name == name and (declared.text, declared.propositions) != (formula, read):
            raise PincerError(f"the evidence is about another formula than the property {name} of {program.file}")
    return TemporalProperty(name, formula, formula, read, Position(program.file, 1, 1))


def propositions_text(program: GuardedProgram, wanted: TemporalProperty) -> dict[str, str]:
    return {name: formula_text(meaning, program) for name, meaning in wanted.propositions}


def witness_of(program: GuardedProgram, wanted: TemporalProperty, run: LiveTrace) -> LiveWitness:
    return LiveWitness(
        program.file,
        program.sha256,
        dict(program.constants),
        wanted.name,
        wanted.text,
        propositions_text(program, wanted),
        run.kind,
        run.loop_from,
        trace_to_json(program, run.trace),
    )


FORMAT = Format("pincer-lasso-1", "run file", LiveWitness, ("file", "sha256", "constants"))
