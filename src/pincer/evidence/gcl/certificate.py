"""Proofs: an inductive invariant, by valuation of the finite variables.

The invariant holds in a state when the state's finite values stand in some region's `control` list and one of that
region's cubes or formulas is true. A cube is a string over the certificate's predicates, one character each: `1` the
predicate holds, `0` it does not, `-` it does not matter. Predicates and formulas are GCL text over expanded variable
names, so that a certificate can be read, and checked, without the engine that wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincer.runtime.codec import Format


class Region(Struct, frozen=True):
    control: tuple[tuple[int, ...], ...]
    cubes: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()


class Certificate(Struct, frozen=True):
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
        return FORMAT.data(self)

    @staticmethod
    def from_json(data: Any) -> Certificate:
        return FORMAT.value(data)

    def save(self, path: Path) -> None:
        FORMAT.save(path, self)

    @staticmethod
    def load(path: Path) -> Certificate:
        return FORMAT.load(path)


FORMAT = Format("pincer-certificate-1", "certificate", Certificate, ("file", "sha256", "constants"))
