"""Proofs about programs with threads as data, and their JSON form (`pincer-thread-proof-1`).

A proof is the claim that there are finitely many states (`explored`), all of which the checker visits by itself, or it
is an outline: what stands in every state, and an assertion for places of threads (nothing is said of a place without
one), with ghosts and, for deadlocks, ranks. Or a schedule is shown to stand for all others (`regions`), and the product
of the threads under it has a proof of its own. `threads` names the threads as the checker unfolds them, so that readers
know what the numbers are. Formulas are text as in proofs about single threads, with the leaves of `leaves`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.formulas import Reader, Writer
from pincer.evidence.thread_proof.exploration.claim import ExplorationClaim
from pincer.evidence.thread_proof.outline import Order, Outline
from pincer.evidence.thread_proof.regions.claim import Region, RegionProof
from pincer.evidence.thread_proof.states import Ghost
from pincer.logic.terms import Term
from pincer.program.threaded_system import Place
from pincer.runtime.codec import Format, Natural, read_json

ThreadProofKind: TypeAlias = Literal["assertions", "memory", "race", "deadlock"]
"""What outlines prove: that nothing fails, has undefined behaviour, is accessed by two at the same time, or blocks for
ever."""

CertifiedKind: TypeAlias = Literal["assertions", "memory", "race", "deadlock", "termination", "temporal"]
"""What explorations prove: they look at whole runs, too."""


class NamedThread(Struct, frozen=True):
    """A thread of the program: its routine, who starts it where, and whether there may be several."""

    number: Natural
    routine: str
    creator: int | None = None
    site: str = ""
    several: bool = False


class ThreadCertificate(Struct, frozen=True):
    """An outline that proves a property of a program, or how much there is to explore to see that it holds. One of an
    `opened` program is about that in which loops that start threads are opened."""

    file: str
    sha256: str
    data_model: str
    entry: str
    property: CertifiedKind
    spurious_wakeups: bool
    version: str
    threads: tuple[NamedThread, ...]
    outline: Outline
    explored: ExplorationClaim | None = None
    regions: RegionProof | None = None
    opened: bool = False

    def to_json(self) -> dict[str, Any]:
        outline = self.outline
        places = [terms for by_place in outline.assertions.values() for terms in by_place.values()]
        values = [value for by_ghost in outline.updates.values() for value in by_ghost.values()]
        writer = Writer([*outline.standing, *(term for terms in places for term in terms), *values])
        text = writer.text
        order = outline.order
        written = _Written(
            self.file,
            self.sha256,
            self.data_model,
            self.entry,
            self.property,
            self.spurious_wakeups,
            self.version,
            self.threads,
            tuple(
                _WrittenGhost(
                    name,
                    ghost.width,
                    ghost.initial,
                    tuple(
                        _WrittenUpdate(thread, move, text(values[name]))
                        for (thread, move), values in outline.updates.items()
                        if name in values
                    ),
                )
                for name, ghost in outline.ghosts.items()
            ),
            tuple(map(text, outline.standing)),
            {
                thread: {str(place): tuple(map(text, terms)) for place, terms in by_place.items()}
                for thread, by_place in outline.assertions.items()
            },
            dict(writer.registers),
            tuple(writer.definitions),
            None if order is None else _WrittenOrder(tuple(order.locks.items()), order.threads),
            self.explored,
            None if self.regions is None else self.regions.regions,
            None if self.regions is None else self.regions.proof.to_json(),
            self.opened or None,
        )
        data = FORMAT.data(written)
        left_out = _OF_OUTLINES if self.explored is not None else ()
        return {name: value for name, value in data.items() if name not in left_out and value is not None}

    @staticmethod
    def from_json(data: Any) -> ThreadCertificate:
        """A certificate from its JSON form; what is not one is refused with a `PincerError`."""
        read = FORMAT.value(data)
        try:
            outline = _read(read)
        except RecursionError as error:
            raise PincerError("malformed proof: a formula is nested too deeply") from error
        return ThreadCertificate(
            read.file,
            read.sha256,
            read.data_model,
            read.entry,
            read.property,
            read.spurious_wakeups,
            read.version,
            read.threads,
            outline,
            read.explored,
            _read_regions(read),
            bool(read.opened),
        )

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_json(), separators=(",", ":")) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path) -> ThreadCertificate:
        return ThreadCertificate.from_json(read_json(path, FORMAT.what))


_Width: TypeAlias = Annotated[int, Meta(ge=1, le=64)]


class _WrittenUpdate(Struct, frozen=True):
    thread: Natural
    move: Natural
    value: str


class _WrittenGhost(Struct, frozen=True):
    name: str
    width: _Width
    initial: Natural
    updates: tuple[_WrittenUpdate, ...]


class _WrittenOrder(Struct, frozen=True):
    ranks: tuple[tuple[Natural, int], ...]
    threads: Mapping[int, int]


class _Written(Struct, frozen=True):
    """A certificate with its formulas as text over `registers`, in which `definitions` name what they share."""

    file: str
    sha256: str
    data_model: str
    entry: str
    property: CertifiedKind
    spurious_wakeups: bool
    version: str
    threads: tuple[NamedThread, ...] = ()
    ghosts: tuple[_WrittenGhost, ...] = ()
    standing: tuple[str, ...] = ()
    outline: Mapping[int, Mapping[str, tuple[str, ...]]] = {}
    registers: Mapping[str, Annotated[int, Meta(ge=0, le=1 << 16)]] = {}
    definitions: tuple[str, ...] = ()
    order: _WrittenOrder | None = None
    explored: ExplorationClaim | None = None
    regions: tuple[Region, ...] | None = None
    product: dict[str, Any] | None = None
    opened: bool | None = None


_OF_OUTLINES = ("threads", "ghosts", "standing", "outline", "registers", "definitions", "order")
"""What only outlines say."""

FORMAT = Format("pincer-thread-proof-1", "proof", _Written, ("file", "sha256", "data_model", "entry"))


def _read_regions(written: _Written) -> RegionProof | None:
    if written.regions is None and written.product is None:
        return None
    if written.regions is None or written.product is None:
        raise PincerError("malformed proof: regions without a proof of their product, or a proof of none")
    return RegionProof(written.regions, ProofCertificate.from_json(written.product))


def _read(written: _Written) -> Outline:
    reader = Reader(written.registers, written.definitions)
    names = [ghost.name for ghost in written.ghosts]
    if len(set(names)) < len(names):
        raise PincerError("malformed proof: a ghost is declared twice")
    updates: dict[tuple[int, int], dict[str, Term]] = {}
    for ghost in written.ghosts:
        for update in ghost.updates:
            values = updates.setdefault((update.thread, update.move), {})
            if ghost.name in values:
                raise PincerError(f"malformed proof: the ghost {ghost.name} is changed twice by one move")
            values[ghost.name] = reader.value(update.value)
    order = written.order
    if order is not None and len({lock for lock, _ in order.ranks}) < len(order.ranks):
        raise PincerError("malformed proof: a lock has two ranks")
    return Outline(
        tuple(map(reader.predicate, written.standing)),
        {
            thread: {place_of(text): tuple(map(reader.predicate, terms)) for text, terms in by_place.items()}
            for thread, by_place in written.outline.items()
        },
        {ghost.name: Ghost(ghost.width, ghost.initial) for ghost in written.ghosts},
        updates,
        None if order is None else Order(dict(order.ranks), order.threads),
    )


def place_of(text: str) -> Place:
    """The place that a text names."""
    waiting = text.endswith("*")
    *calls, location = text.removesuffix("*").split("/")
    numbers = [
        int(part) if part.isascii() and part.isdecimal() and len(part) < 10 else -1 for part in (*calls, location)
    ]
    if min(numbers) < 0:
        raise PincerError(f"malformed proof: {text!r} is no place")
    return Place(tuple(numbers[:-1]), numbers[-1], "waiting" if waiting else "")
