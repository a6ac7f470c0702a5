"""Evidence kept in files: witnesses, certificates, and the JSON results that contain both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincer.errors import PincerError
from pincer.evidence.certificate import Certificate
from pincer.evidence.replay import Witness, load_witness


def read_witnesses(path: Path) -> list[Witness]:
    """The counterexample of a witness file, or all those of a result written by `check --format json`."""
    results = _results(path)
    if results is None:
        return [load_witness(path)]
    found = [witness for result in results for witness in _witnesses(path, result)]
    if not found:
        raise PincerError(f"{path} holds no counterexample: none of its properties is violated")
    return found


def read_certificates(path: Path) -> list[Certificate]:
    """The proof of a certificate file, or all those of a result written by `check --format json`."""
    results = _results(path)
    if results is None:
        return [Certificate.load(path)]
    found: dict[str, Certificate] = {}
    for result in results:
        for item in _properties(path, result):
            if item.get("certificate") is not None:
                found.setdefault(json.dumps(item["certificate"]), Certificate.from_json(item["certificate"]))
    if not found:
        raise PincerError(f"{path} holds no proof: none of its properties is known to hold")
    return list(found.values())


def find_program(given: str | None, recorded: str, evidence: Path) -> Path:
    """The program evidence is about: as given, or as recorded, from here or from the evidence's folder."""
    if given is not None:
        return Path(given)
    for candidate in (Path(recorded), evidence.parent / recorded):
        if candidate.is_file():
            return candidate
    raise PincerError(f"the program {recorded} is not here; say where it is with --program FILE")


def _results(path: Path) -> list[Any] | None:
    """The results in a file, one JSON object per line; None when it is some other kind of file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PincerError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is not text'}") from error
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        try:
            results = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            raise PincerError(f"{path} is not JSON: {error}") from error
    else:
        results = [whole]
    return results if all(isinstance(item, dict) and "tool" in item for item in results) else None


def _properties(path: Path, result: Any) -> list[Any]:
    items = result.get("properties")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise PincerError(f"malformed result {path}: it has no list of properties")
    return items


def _witnesses(path: Path, result: Any) -> Iterator[Witness]:
    for item in _properties(path, result):
        if item.get("verdict") != "unsafe":
            continue
        try:
            program = result["program"]
            constants = {str(name): int(value) for name, value in program["constants"].items()}
            yield Witness(str(program["file"]), str(program["sha256"]), constants, str(item["name"]), item["trace"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PincerError(f"malformed result {path}: {error!r}") from error
