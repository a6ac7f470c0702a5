"""The inputs of an execution, as others can deliver them again."""

from __future__ import annotations

from typing import Any

from pincer.evidence.c.trace import InputValue, InputVector
from pincer.execution.machine import InputRecord, chronological
from pincer.execution.testing import Node
from pincer.logic.bitvectors import width
from pincer.program.control_flow import Input


def input_vector(last: Node) -> InputVector:
    """What an execution has consumed up to a node, in order."""
    return tuple(_input(record, last) for record in chronological(last.state.inputs))


def is_truth_value(label: Input) -> bool:
    """Whether an input is 0 or 1 by its type; a test with any other value would end at once."""
    return label.source == "__VERIFIER_nondet_bool"


def _input(record: InputRecord, last: Node) -> InputValue:
    assert record.position is not None
    kind: Any = record.kind
    value = last.state.values[record.symbol]
    return InputValue(record.source, kind, width(record.symbol), value, record.position)
