"""Guards and values of merged paths, looked at for single inputs."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.summaries import Summaries, Value
from pincer.evidence.c_proof.words import Guard, Words


def summaries() -> Summaries:
    """For addresses of 64 bits with slots of 32."""
    return Summaries(Words(Script()), 64, 32)


def holds(words: Words, guard: Guard, inputs: Mapping[Node, int]) -> bool:
    """Whether an exact guard holds for bytes of input."""
    levels = {words.diagrams.parts((words.bits(byte) or ())[0])[0]: value for byte, value in inputs.items()}
    while guard not in (TRUE, FALSE):
        level, cases = words.diagrams.parts(guard)
        [guard] = [left for mask, left in cases if mask >> levels[level] & 1]
    return guard == TRUE


def number_of(words: Words, value: Value, inputs: Mapping[Node, int]) -> int:
    """The one number that a value is for bytes of input."""
    nodes = [node for node, guard in value if len(value) == 1 or holds(words, guard, inputs)]
    assert len(nodes) == 1
    [node] = nodes
    if node.value is not None:
        return node.value
    table, byte = words.table(node), words.byte_of(node)
    assert table is not None and byte is not None
    return table[inputs[byte]]
