"""Proofs about C programs as data, and their JSON form.

A `ProcedureProof` is a Hoare triple with its proof outline: started at the entry of the procedure in a state that
satisfies `entry`, every state at location l satisfies `invariants[l]` (nothing is said of a location without one), at
the exit `exit` holds, and unless `errors` is set nothing goes wrong on the way, the calls included. Ghosts are
constants of one activation: they stand for values that only callers know, such as the value of a parameter on entry.

`entry` is about parameters, global registers, memory and ghosts; `exit` about global registers, memory, the result
register and ghosts.

A program with finitely many paths may have a proof by exploration instead (`Paths`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincer.errors import PincerError
from pincer.evidence.c_proof.formulas import Reader, Writer
from pincer.evidence.c_proof.paths import Paths
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.property import PropertyKind

FORMAT = "pincer-c-proof-1"


@dataclass(frozen=True, slots=True)
class CallUse:
    """A triple of the callee that a call relies on, and what its ghosts stand for before the call."""

    proof: str
    ghost_values: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProcedureProof:
    """One triple; `calls` gives the triples used at a call, by the index of the edge in `procedure.edges`."""

    id: str
    procedure: str
    entry: Term = terms.TRUE
    exit: Term = terms.TRUE
    errors: bool = False
    ghosts: tuple[tuple[str, int], ...] = ()
    invariants: Mapping[int, Term] = field(default_factory=dict)
    calls: Mapping[int, tuple[CallUse, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProofCertificate:
    """A proof of a property of a program: by triples, `main` being the entry procedure's, or by paths."""

    file: str
    sha256: str
    data_model: str
    entry: str
    property: PropertyKind
    version: str
    main: str = ""
    proofs: tuple[ProcedureProof, ...] = ()
    paths: Paths | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": self.version,
            "program": {
                "file": self.file,
                "sha256": self.sha256,
                "data_model": self.data_model,
                "entry": self.entry,
            },
            "property": self.property,
            **({"paths": _paths_json(self.paths)} if self.paths is not None else self._triples_json()),
        }

    def _triples_json(self) -> dict[str, Any]:
        return {"main": self.main, "proofs": [_proof_json(proof) for proof in self.proofs]}

    @staticmethod
    def from_json(data: Any) -> ProofCertificate:
        """A certificate from its JSON form; what is not one is refused with a `PincerError`."""
        try:
            if data["format"] != FORMAT:
                raise PincerError(f"this is not a {FORMAT} file (format is {data['format']!r})")
            program = data["program"]
            paths = _paths(data["paths"]) if "paths" in data else None
            return ProofCertificate(
                file=_string(program["file"]),
                sha256=_string(program["sha256"]),
                data_model=_string(program["data_model"]),
                entry=_string(program["entry"]),
                property=_property(data["property"]),
                version=_string(data["version"]),
                main="" if paths else _string(data["main"]),
                proofs=() if paths else tuple(map(_proof, _list(data["proofs"]))),
                paths=paths,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PincerError(f"malformed proof: {error!r}") from error
        except RecursionError as error:
            raise PincerError("malformed proof: a formula is nested too deeply") from error

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_json(), separators=(",", ":")) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path) -> ProofCertificate:
        try:
            return ProofCertificate.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as error:
            raise PincerError(f"{path} is not a proof: {error}") from error


def _paths_json(paths: Paths) -> dict[str, Any]:
    values = {str(location): list(numbers) for location, numbers in sorted(paths.values.items())}
    return {"paths": paths.paths, "steps": paths.steps, "values": values}


def _paths(data: Any) -> Paths:
    values = {_numeral(location): tuple(map(_count, _list(numbers))) for location, numbers in data["values"].items()}
    return Paths(_count(data["paths"]), _count(data["steps"]), values)


def _proof_json(proof: ProcedureProof) -> dict[str, Any]:
    values = [value for uses in proof.calls.values() for use in uses for value in use.ghost_values.values()]
    writer = Writer([proof.entry, proof.exit, *proof.invariants.values(), *values])
    result: dict[str, Any] = {
        "id": proof.id,
        "procedure": proof.procedure,
        "errors": proof.errors,
        "ghosts": [[name, width] for name, width in proof.ghosts],
        "entry": writer.text(proof.entry),
        "exit": writer.text(proof.exit),
        "invariants": {str(location): writer.text(term) for location, term in proof.invariants.items()},
        "calls": {
            str(index): [
                {"proof": use.proof, "ghosts": {name: writer.text(value) for name, value in use.ghost_values.items()}}
                for use in uses
            ]
            for index, uses in proof.calls.items()
        },
    }
    return {**result, "registers": dict(writer.registers), "definitions": list(writer.definitions)}


def _proof(data: Any) -> ProcedureProof:
    registers = {_string(name): _whole(width) for name, width in data["registers"].items()}
    ghosts = tuple((_string(name), _whole(width)) for name, width in data["ghosts"])
    if any(registers.get(name, width) != width for name, width in ghosts):
        raise PincerError(f"malformed proof {data['id']!r}: a ghost has two widths")
    reader = Reader(registers, [_string(text) for text in _list(data["definitions"])])
    errors = data["errors"]
    if not isinstance(errors, bool):
        raise TypeError("errors must be true or false")
    return ProcedureProof(
        id=_string(data["id"]),
        procedure=_string(data["procedure"]),
        entry=reader.predicate(_string(data["entry"])),
        exit=reader.predicate(_string(data["exit"])),
        errors=errors,
        ghosts=ghosts,
        invariants={
            _numeral(location): reader.predicate(_string(text)) for location, text in data["invariants"].items()
        },
        calls={
            _numeral(index): tuple(_use(use, reader) for use in _list(uses)) for index, uses in data["calls"].items()
        },
    )


def _use(data: Any, reader: Reader) -> CallUse:
    values = {_string(name): reader.value(_string(text)) for name, text in data["ghosts"].items()}
    return CallUse(_string(data["proof"]), values)


def _property(value: Any) -> PropertyKind:
    if value == "assertions":
        return "assertions"
    if value == "memory":
        return "memory"
    raise ValueError(f"{value!r} is not a property")


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= 1 << 16:
        raise TypeError(f"{value!r} is not a small whole number")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _numeral(text: Any) -> int:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise TypeError(f"{text!r} is not a numeral")
    return int(text)
