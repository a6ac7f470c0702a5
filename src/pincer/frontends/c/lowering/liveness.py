"""Undefined values that nothing reads: locals declared long before they are assigned would otherwise all be inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from pincer.frontends.c.lowering.builder import RawEdge
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Input, Skip
from pincer.program.labels import read_registers, written_register


def without_dead_inputs(edges: Sequence[RawEdge], kept: Iterable[Term]) -> list[RawEdge]:
    """Undefined inputs of registers that are assigned before they are read become steps that do nothing.

    `kept` are registers that something outside the edges reads.
    """
    registers = dict.fromkeys(
        edge.label.register for edge in edges if isinstance(edge.label, Input) and edge.label.kind == "undefined"
    )
    for register in kept:
        registers.pop(register, None)
    bits = {register: 1 << number for number, register in enumerate(registers)}
    live = live_registers(edges, bits) if bits else {}
    return [replace(edge, label=Skip()) if _is_dead(edge, bits, live) else edge for edge in edges]


def _is_dead(edge: RawEdge, bits: dict[Term, int], live: dict[int, int]) -> bool:
    label = edge.label
    if not isinstance(label, Input) or label.kind != "undefined" or label.register not in bits:
        return False
    return not live.get(edge.target, 0) & bits[label.register]


def live_registers(edges: Sequence[RawEdge | Edge], bits: Mapping[Term, int]) -> dict[int, int]:
    """For each location the registers, as a bit mask, that may be read before they are assigned."""
    incoming: dict[int, list[tuple[int, int, int]]] = {}
    live: dict[int, int] = {}
    for edge in edges:
        read = 0
        for variable in read_registers(edge.label):
            read |= bits.get(variable, 0)
        written = written_register(edge.label)
        mask = ~bits.get(written, 0) if written is not None else -1
        incoming.setdefault(edge.target, []).append((edge.source, read, mask))
        live[edge.source] = live.get(edge.source, 0) | read
    pending = [location for location, mask in live.items() if mask]
    while pending:
        location = pending.pop()
        here = live.get(location, 0)
        for source, read, mask in incoming.get(location, ()):
            before = live.get(source, 0)
            after = before | read | here & mask
            if after != before:
                live[source] = after
                pending.append(source)
    return live
