"""Proofs: an inductive invariant, by valuation of the finite variables.

The invariant holds in a state when the state's finite values stand in some region's `control` list and one of that
region's cubes or formulas is true. A cube is a string over the certificate's predicates, one character each: `1` the
predicate holds, `0` it does not, `-` it does not matter. Predicates and formulas are GCL text over expanded variable
names, so that a certificate can be read, and checked, without the engine that wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincer.errors import PincerError

FORMAT = "pincer-certificate-1"


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


@dataclass(frozen=True, slots=True)
class Region:
    control: tuple[tuple[int, ...], ...]
    cubes: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """An inductive invariant of the program that implies every one of `properties`."""

    file: str
    sha256: str
    constants: Mapping[str, int]
    properties: tuple[str, ...]
    engine: str
    check: str
    control: tuple[str, ...]
    predicates: tuple[str, ...]
    regions: tuple[Region, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "program": {"file": self.file, "sha256": self.sha256, "constants": dict(self.constants)},
            "properties": list(self.properties),
            "engine": self.engine,
            "check": self.check,
            "control": list(self.control),
            "predicates": list(self.predicates),
            "regions": [
                {
                    "control": [list(valuation) for valuation in region.control],
                    "cubes": list(region.cubes),
                    "formulas": list(region.formulas),
                }
                for region in self.regions
            ],
        }

    @staticmethod
    def from_json(data: Any) -> Certificate:
        try:
            if data["format"] != FORMAT:
                raise PincerError(f"this is not a {FORMAT} file (format is {data['format']!r})")
            return Certificate(
                file=str(data["program"]["file"]),
                sha256=str(data["program"]["sha256"]),
                constants={str(k): int(v) for k, v in data["program"]["constants"].items()},
                properties=tuple(map(str, data["properties"])),
                engine=str(data["engine"]),
                check=str(data["check"]),
                control=tuple(map(str, data["control"])),
                predicates=tuple(map(str, data["predicates"])),
                regions=tuple(
                    Region(
                        tuple(tuple(map(_whole, valuation)) for valuation in region["control"]),
                        tuple(map(str, region["cubes"])),
                        tuple(map(str, region["formulas"])),
                    )
                    for region in data["regions"]
                ),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PincerError(f"malformed certificate: {error!r}") from error

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_json(), separators=(",", ":")) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path) -> Certificate:
        try:
            return Certificate.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, RecursionError) as error:
            raise PincerError(f"{path} is not a certificate: {error}") from error
