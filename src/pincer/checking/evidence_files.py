"""Evidence kept in files: witnesses, tests, certificates, and the JSON results that contain all of them.

Evidence about C programs stays what it is, JSON data (`CEvidence`): reading it needs the C side of the evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.replay import FORMAT, Witness
from pincer.evidence.live.certificate import FORMAT as LIVE_PROOF
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.recurrence import FORMAT as RECURRENCE
from pincer.evidence.live.recurrence import RecurrenceFile
from pincer.evidence.live.witness import FORMAT as LIVE_RUN
from pincer.evidence.live.witness import LiveWitness
from pincer.evidence.msvl.proofs import FORMAT as MSVL_PROOF
from pincer.evidence.msvl.proofs import MsvlProof
from pincer.evidence.msvl.rounds import FORMAT as MSVL_ROUNDS
from pincer.evidence.msvl.rounds import MsvlRounds

C_TEST = "pincer-c-test-1"
THREADED_TEST = "pincer-threaded-test-1"
ENDLESS_RUN = "pincer-c-endless-1"
MSVL_COUNTEREXAMPLE = "pincer-msvl-counterexample-1"
C_TESTS = (C_TEST, THREADED_TEST, ENDLESS_RUN, MSVL_COUNTEREXAMPLE)
C_PROOF = "pincer-c-proof-1"
THREAD_PROOF = "pincer-thread-proof-1"
C_PROOFS = (C_PROOF, THREAD_PROOF)


class CEvidence(Struct, frozen=True):
    """A test or a proof of a C program, as it was written, and the file it was found in."""

    data: Mapping[str, Any]
    path: Path
    property: str | None = None

    def loading(self) -> Mapping[str, Any]:
        """What the program was loaded with."""
        found = self.data.get("loading", {})
        if not isinstance(found, dict):
            raise PincerError(f"malformed evidence {self.path}: its member `loading` is no object")
        return found

    def texts(self, member: str) -> tuple[str, ...]:
        """A list among what the program was loaded with."""
        found = self.loading().get(member) or []
        if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
            raise PincerError(f"malformed evidence {self.path}: its member `{member}` is no list of texts")
        return tuple(found)


AnyWitness: TypeAlias = Witness | LiveWitness | RecurrenceFile | MsvlRounds | CEvidence
AnyCertificate: TypeAlias = Certificate | LiveCertificate | MsvlProof | CEvidence


def read_witnesses(path: Path) -> list[AnyWitness]:
    """The counterexample of a witness or test file, or all those of a result written by `check --format json`."""
    if path.suffix in (".yml", ".yaml"):
        raise PincerError(
            f"{path} is a witness for validators; replay the test.json that `check --test-out` keeps, or a JSON result"
        )
    whole = _read(path)
    results = _results(whole)
    if results is None:
        return [_witness(path, whole[0])]
    found = [witness for result in results for witness in _witnesses(path, result)]
    if not found:
        raise PincerError(f"{path} holds no counterexample: none of its properties is violated")
    return found


def read_certificates(path: Path) -> list[AnyCertificate]:
    """The proof of a certificate file, or all those of a result written by `check --format json`."""
    whole = _read(path)
    results = _results(whole)
    if results is None:
        return [_certificate(path, whole[0], None)]
    found: dict[str, AnyCertificate] = {}
    for result in results:
        for item in _properties(path, result):
            data = item.get("certificate")
            if data is not None:
                found.setdefault(json.dumps(data), _certificate(path, data, str(item.get("name"))))
    if not found:
        raise PincerError(f"{path} holds no proof: none of its properties is known to hold")
    return list(found.values())


def _witness(path: Path, data: Any) -> AnyWitness:
    if _format(data) in C_TESTS:
        return CEvidence(data, path)
    if _format(data) == RECURRENCE.tag:
        return RECURRENCE.value(data)
    if _format(data) == MSVL_ROUNDS.tag:
        return MSVL_ROUNDS.value(data)
    return LIVE_RUN.value(data) if _format(data) == LIVE_RUN.tag else FORMAT.value(data)


def _certificate(path: Path, data: Any, name: str | None) -> AnyCertificate:
    if _format(data) in C_PROOFS:
        return CEvidence(data, path, name)
    if _format(data) == MSVL_PROOF.tag:
        return MSVL_PROOF.value(data)
    return LIVE_PROOF.value(data) if _format(data) == LIVE_PROOF.tag else Certificate.from_json(data)


def find_program(given: str | None, recorded: str, evidence: Path) -> Path:
    """The program evidence is about: as given, or as recorded, from here or from the evidence's folder."""
    if given is not None:
        return Path(given)
    for candidate in (Path(recorded), evidence.parent / recorded):
        if candidate.is_file():
            return candidate
    raise PincerError(f"the program {recorded} is not here; say where it is with --program FILE")


def _read(path: Path) -> list[Any]:
    """The JSON of a file: one value, or one on each line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PincerError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is not text'}") from error
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            hint = "; schedules and proofs to check again are in the .json files of --witness and --certificate"
            raise PincerError(f"{path} is not JSON{hint}") from error


def _results(whole: list[Any]) -> list[Any] | None:
    """The results in a file, one JSON object per line; None when it is some other kind of file."""
    return whole if all(isinstance(item, dict) and "tool" in item for item in whole) else None


def _format(data: Any) -> str | None:
    found = data.get("format") if isinstance(data, dict) else None
    return found if isinstance(found, str) else None


def _properties(path: Path, result: Any) -> list[Any]:
    items = result.get("properties")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise PincerError(f"malformed result {path}: it has no list of properties")
    return items


def _witnesses(path: Path, result: Any) -> Iterator[AnyWitness]:
    for item in _properties(path, result):
        if item.get("verdict") != "unsafe":
            continue
        if _format(item.get("trace")) in C_TESTS:
            yield CEvidence(item["trace"], path, str(item.get("name")))
            continue
        if _format(item.get("trace")) in (LIVE_RUN.tag, RECURRENCE.tag, MSVL_ROUNDS.tag):
            yield _witness(path, item["trace"])
            continue
        try:
            program = result["program"]
            constants = {str(name): int(value) for name, value in program["constants"].items()}
            yield Witness(str(program["file"]), str(program["sha256"]), constants, str(item["name"]), item["trace"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PincerError(f"malformed result {path}: {error!r}") from error
