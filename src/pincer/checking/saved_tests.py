"""Tests kept from one run to the next: their inputs are tried first when the same program is checked again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from pincer.errors import PincerError
from pincer.evidence.c.trace import InputVector
from pincer.logic import bitvectors
from pincer.logic.terms import Term

FORMAT = "pincer-inputs-1"

Inputs: TypeAlias = tuple[tuple[int, int], ...]
"""The inputs of one test in the order they are consumed: width in bits, value."""


def planned_inputs(test: InputVector) -> Mapping[Term, int]:
    """A test of one analysis for another one of the same program."""
    return {bitvectors.variable(f"input{k}", given.width): given.value for k, given in enumerate(test)}


class SavedTests:
    """The tests of one program in a folder. Tests that no longer fit a changed program do no harm."""

    def __init__(self, folder: Path, source: Path) -> None:
        digest = hashlib.sha256(str(PurePosixPath(source)).encode("utf-8", "surrogateescape")).hexdigest()[:8]
        self._path = folder / f"{source.name}-{digest}.json"
        self.tests: list[Inputs] = self._load()

    def planned(self) -> Iterator[Mapping[Term, int]]:
        """The tests as values of the engine's input symbols."""
        for test in self.tests:
            yield {bitvectors.variable(f"input{k}", width): value for k, (width, value) in enumerate(test)}

    def add(self, tests: Iterable[Inputs]) -> None:
        """Keep further tests, and write them all."""
        self.tests = list(dict.fromkeys((*self.tests, *tests)))
        data = {"format": FORMAT, "tests": [[list(value) for value in test] for test in self.tests]}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")

    def _load(self) -> list[Inputs]:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                raise PincerError(f"{self._path} holds no saved tests (its format is {data['format']!r}); remove it")
            return [tuple((_whole(width), _whole(value)) for width, value in test) for test in data["tests"]]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise PincerError(f"cannot read {self._path}: {error.strerror}") from error
        except (ValueError, TypeError, KeyError) as error:
            raise PincerError(f"{self._path} holds no saved tests: {error}; remove it") from error


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a whole number")
    return value
