"""SV-COMP witnesses, format 1.0: the schedule as a path of edges, each of one thread, in GraphML.

Steps outside the program's own file are left out. Thread 0 is the first; an edge with `createThread` begins another.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import UTC
from typing import TypeAlias

from pincer.errors import PincerError, Position
from pincer.evidence.c.locations import Locator
from pincer.evidence.c.trace import InputValue, input_literal
from pincer.evidence.c.witness import Metadata
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"

EdgeData: TypeAlias = dict[str, str]

_GRAPH_KEYS = (
    "witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture",
    "creationtime",
)  # fmt: skip
_NODE_KEYS = ("entry", "violation")
_EDGE_KEYS = (
    "startline", "endline", "startoffset", "endoffset", "control", "assumption", "assumption.scope",
    "assumption.resultfunction", "enterFunction", "threadId", "createThread",
)  # fmt: skip
_NUMBERS = ("startline", "endline", "startoffset", "endoffset")


def graphml_witness(test: ThreadedTest, metadata: Metadata) -> str:
    """The execution of a test as a violation witness."""
    path = list(_Path(test, Locator(metadata.text, metadata.file)).edges())
    root = ET.Element("graphml", {"xmlns": NAMESPACE})
    for scope, names in (("graph", _GRAPH_KEYS), ("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name in names:
            kind = "boolean" if scope == "node" else "int" if name in _NUMBERS else "string"
            key = ET.SubElement(root, "key", {"id": name, "for": scope, "attr.name": name, "attr.type": kind})
            if scope == "node":
                ET.SubElement(key, "default").text = "false"
    graph = ET.SubElement(root, "graph", {"edgedefault": "directed"})
    _add(graph, _head(metadata))
    for number in range(len(path) + 1):
        node = ET.SubElement(graph, "node", {"id": f"N{number}"})
        _add(node, {"entry": "true"} if number == 0 else {})
        _add(node, {"violation": "true"} if number == len(path) else {})
    for number, data in enumerate(path):
        _add(ET.SubElement(graph, "edge", {"source": f"N{number}", "target": f"N{number + 1}"}), data)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add(element: ET.Element, data: EdgeData) -> None:
    for key, text in data.items():
        ET.SubElement(element, "data", {"key": key}).text = text


def _head(metadata: Metadata) -> EdgeData:
    created = metadata.created.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {
        "witness-type": "violation_witness",
        "sourcecodelang": "C",
        "producer": f"{metadata.producer} {metadata.version}",
        "specification": metadata.specification,
        "programfile": metadata.file,
        "programhash": metadata.sha256,
        "architecture": "32bit" if metadata.data_model == "ILP32" else "64bit",
        "creationtime": created,
    }


class _Path:
    """The edges of one test over one source text."""

    def __init__(self, test: ThreadedTest, locator: Locator) -> None:
        self._test = test
        self._locator = locator
        self._left: dict[int, list[InputValue]] = {}
        for item in test.inputs:
            self._left.setdefault(item.thread, []).append(item)

    def edges(self) -> Iterator[EdgeData]:
        begun: set[int] = set()
        last: EdgeData | None = None
        for step in self._test.steps:
            if step.thread not in begun:
                begun.add(step.thread)
                yield self._entry(step)
            edge = self._edge(step)
            if edge is not None and edge != last:
                yield edge
                last = edge
        yield from self._stops(last)

    def _entry(self, step: ThreadStep) -> EdgeData:
        name = self._test.entry if step.thread == 0 else step.procedure
        edge = {"threadId": str(step.thread), "enterFunction": name}
        definition = self._locator.definition(name)
        if definition is not None:
            edge["startline"] = str(self._locator.place(definition.name).line)
        return edge

    def _edge(self, step: ThreadStep) -> EdgeData | None:
        values = self._left.get(step.thread, [])[: step.inputs]
        self._left[step.thread] = self._left.get(step.thread, [])[step.inputs :]
        edge = self._at(step.thread, step.position)
        if edge is None:
            if step.creates is not None:
                raise _unplaced(f"the call that creates thread {step.creates}", step.position)
            return None
        if step.creates is not None:
            edge["createThread"] = str(step.creates)
        if step.branch is not None:
            edge["control"] = "condition-true" if step.branch else "condition-false"
        results = [value for value in values if value.is_returned]
        if len(results) == 1:
            edge["assumption"] = f"\\result == {input_literal(results[0])};"
            edge["assumption.scope"] = step.procedure
            edge["assumption.resultfunction"] = results[0].name
        return edge

    def _stops(self, last: EdgeData | None) -> Iterator[EdgeData]:
        """Where the threads of the failure stand; for a failing assertion, where it fails."""
        failing = self._test.failure
        places = [(stop.thread, stop.position) for stop in failing.stops] or [
            (self._test.points[-1].thread if self._test.points else 0, failing.position)
        ]
        for thread, position in places:
            edge = self._at(thread, position)
            if edge is None:
                raise _unplaced("the violation", position)
            if edge != last:
                yield edge

    def _at(self, thread: int, position: Position) -> EdgeData | None:
        index = self._locator.token_at(position)
        if index is None:
            index = next(iter(self._locator.on_line(position)), None)
        if index is None:
            return None
        line = str(self._locator.place(index).line)
        return {"threadId": str(thread), "startline": line, "endline": line}


def _unplaced(what: str, position: Position) -> PincerError:
    return PincerError(f"no witness can be written: {what} is not in the program's own file", position)
