"""A violation of a threaded program as a SARIF 2.1.0 result: one thread flow for each thread, in a common order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from pincer.errors import Position
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep


def sarif_result(test: ThreadedTest, rule_id: str) -> dict[str, Any]:
    """The `result` object; its rule is described by the log that it is part of."""
    result: dict[str, Any] = {
        "ruleId": rule_id,
        "level": "error",
        "message": {"text": test.failure.message},
        "locations": [_location(test.failure.position)],
        "codeFlows": [code_flow(test)],
        "partialFingerprints": {"pincerThreads/v1": _fingerprint(test, rule_id)},
    }
    others = [stop for stop in test.failure.stops if stop.position != test.failure.position]
    if others:
        result["relatedLocations"] = [
            {"id": number, **_location(stop.position, f"thread {stop.thread} {stop}")}
            for number, stop in enumerate(others, 1)
        ]
    return result


def code_flow(test: ThreadedTest) -> dict[str, Any]:
    """The execution: `executionOrder` tells across thread flows what came first."""
    flows: dict[int, list[dict[str, Any]]] = {}
    for order, (thread, location) in enumerate(_locations(test), 1):
        flows.setdefault(thread, []).append({"location": location, "executionOrder": order})
    return {
        "message": {"text": f"a schedule of {len(flows)} threads"},
        "threadFlows": [
            {"id": str(thread), "message": {"text": f"thread {thread}"}, "locations": locations}
            for thread, locations in sorted(flows.items())
        ],
    }


def _locations(test: ThreadedTest) -> Iterator[tuple[int, dict[str, Any]]]:
    for step in test.steps:
        yield step.thread, _location(step.position, _text(step))
    for stop in test.failure.stops:
        verb = "stands before this: it" if test.kind == "race" else "goes wrong here: it"
        text = f"{verb} {stop}" if stop.name else test.failure.message
        yield stop.thread, _location(stop.position, text)


def _text(step: ThreadStep) -> str:
    parts = [step.text] if step.text else []
    if step.creates is not None:
        parts.append(f"thread {step.creates} begins")
    if step.branch is not None:
        parts.append(f"the condition is {str(step.branch).lower()}")
    parts += [f"reads {name} ({value})" for name, value in step.reads]
    parts += [f"{name} = {value}" for name, value in step.changes]
    return ", ".join(parts) or f"in {step.procedure}"


def _location(position: Position, text: str | None = None) -> dict[str, Any]:
    region = {"startLine": max(position.line, 1), "startColumn": max(position.column, 1)}
    artifact = {"uri": quote(PurePath(position.file).as_posix())}
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    return location if text is None else {**location, "message": {"text": text}}


def _fingerprint(test: ThreadedTest, rule_id: str) -> str:
    """The same for the same places of the program, whatever the schedule that leads there."""
    places = sorted(f"{PurePath(stop.position.file).name}:{stop.position.line}" for stop in test.failure.stops)
    failing = f"{PurePath(test.failure.position.file).name}:{test.failure.position.line}"
    return hashlib.sha256("|".join([rule_id, test.kind, failing, *places]).encode("utf-8", "replace")).hexdigest()[:32]
