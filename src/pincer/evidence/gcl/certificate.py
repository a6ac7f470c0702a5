"""Proofs: an inductive invariant, by valuation of the finite variables.

The invariant holds in a state when the state's finite values stand in some region's `control` list and one of that
region's cubes or formulas is true. A cube is a string over the certificate's predicates, one character each: `1` the
predicate holds, `0` it does not, `-` it does not matter. Predicates and formulas are GCL text over expanded variable
names, so that a certificate can be read, and checked, without the engine that wrote it.

With `local` places the invariant is one of the reduced program, which leaves steps for later that no other process
notices (`pincer.evidence.gcl.local_steps`). The properties hold of the whole program all the same.
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


class Certificate(Struct, frozen=True, omit_defaults=True):
    """An inductive invariant of the program, reduced by the groups of `local` places, that implies every one of
    `properties`."""

    file: str
    sha256: str
    constants: Mapping[str, int]
    properties: tuple[str, ...]
    engine: str
    check: str
    control: tuple[str, ...]
    predicates: tuple[str, ...]
    regions: tuple[Region, ...]
    local: tuple[tuple[tuple[str, int], ...], ...] = ()

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
