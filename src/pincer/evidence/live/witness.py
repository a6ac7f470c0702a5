"""The file in which a run that violates a temporal property is kept, and what it says about the property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincer.errors import PincerError, Position
from pincer.evidence.gcl.replay import trace_from_json, trace_to_json
from pincer.evidence.live.certificate import PropertyEvidence
from pincer.evidence.live.trace import LiveTrace, RunKind
from pincer.frontends.gcl import formula_text, parse_formula
from pincer.program.guarded import GuardedProgram, TemporalProperty
from pincer.runtime.codec import Format


class LiveWitness(PropertyEvidence, frozen=True):
    """A run as it is kept."""

    kind: RunKind
    loop_from: int | None
    trace: Sequence[Any]

    def of(self, program: GuardedProgram) -> LiveTrace:
        return LiveTrace(self.kind, trace_from_json(program, self.property, self.trace), self.loop_from)


def property_of(evidence: PropertyEvidence, program: GuardedProgram) -> TemporalProperty:
    """The property that evidence is about, if it was made for this program."""
    if evidence.sha256 != program.sha256:
        raise PincerError(f"the evidence was made for another version of {program.file} (its hash differs)")
    if dict(evidence.constants) != dict(program.constants):
        made, given = dict(evidence.constants), dict(program.constants)
        raise PincerError(f"the evidence was made with constants {made}, the program has {given}")
    return recorded_property(program, evidence.property, evidence.formula, evidence.propositions)


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


def about(program: GuardedProgram, wanted: TemporalProperty) -> dict[str, Any]:
    """What evidence says of its program and its property."""
    return {
        "file": program.file,
        "sha256": program.sha256,
        "constants": dict(program.constants),
        "property": wanted.name,
        "formula": wanted.text,
        "propositions": propositions_text(program, wanted),
    }


def witness_of(program: GuardedProgram, wanted: TemporalProperty, run: LiveTrace) -> LiveWitness:
    rows = trace_to_json(program, run.trace)
    return LiveWitness(**about(program, wanted), kind=run.kind, loop_from=run.loop_from, trace=rows)


FORMAT = Format("pincer-lasso-1", "run file", LiveWitness, ("file", "sha256", "constants"))
