"""Proofs by regions as data."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from pincer.evidence.c_proof.certificate import ProofCertificate

UNBORN, ENDED = "-", "."
"""What stands for the place of a thread that has not begun, and of one that is over."""

_Number = Annotated[int, Meta(ge=0)]


class Successor(Struct, frozen=True, array_like=True):
    """A move of a thread leads to another region, by its number."""

    thread: _Number
    move: _Number
    region: _Number


class Region(Struct, frozen=True):
    """Where each thread is, which of them `move`, and the regions that their moves lead to (`then`).

    It is claimed besides, and shown by the proof of the product, that locks at addresses are held by threads."""

    at: tuple[str, ...]
    move: tuple[_Number, ...]
    then: tuple[Successor, ...]
    held: tuple[tuple[_Number, _Number], ...] = ()


class RegionProof(Struct, frozen=True):
    """The regions, the first of them that of the beginning, and the proof of their product."""

    regions: tuple[Region, ...]
    proof: ProofCertificate
