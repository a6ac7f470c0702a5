"""Objects in memory as values that do not change: bytes, some of which nobody has written, some of which depend on
inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof.exploration.refusals import Unexplored

KEPT_BYTES = 1 << 16
"""Bytes of an object that are kept for every state: what lies behind them is not explored."""

STATIC = -1
"""The maker of objects that are there from the beginning."""


class Thing(NamedTuple):
    """An object: its size (0 when it has ended), its bytes, a one for each byte that nobody has written, and by offset
    those that depend on inputs. `maker` is the thread in which it began."""

    size: int
    data: bytes
    undefined: bytes = b""
    nodes: tuple[tuple[int, Node], ...] = ()
    maker: int = STATIC
    read_only: bool = False

    def check_kept(self, end: int) -> None:
        """Bytes up to an offset must be among those that are kept."""
        if end > len(self.data):
            raise Unexplored(f"more than {KEPT_BYTES} bytes of an object are used")

    def is_plain(self, offset: int, size: int) -> bool:
        """Whether some bytes are numbers."""
        self.check_kept(offset + size)
        if self.undefined and 1 in self.undefined[offset : offset + size]:
            return False
        return not self.nodes or not any(offset <= at < offset + size for at, _ in self.nodes)

    def is_defined(self, offset: int, size: int) -> bool:
        """Whether some bytes have been written or given."""
        return offset + size <= len(self.data) and 1 not in self.undefined[offset : offset + size]

    def number(self, offset: int, size: int) -> int:
        return int.from_bytes(self.data[offset : offset + size], "little")

    def with_bytes(self, offset: int, data: bytes, undefined: bytes = b"", nodes: Mapping[int, Node] = {}) -> Thing:
        """The object with other bytes from an offset on; `nodes` by their distance from there."""
        end = offset + len(data)
        self.check_kept(end)
        mask = self.undefined
        if mask or 1 in undefined:
            mask = mask or bytes(len(self.data))
            mask = mask[:offset] + (undefined or bytes(len(data))) + mask[end:]
            mask = mask if 1 in mask else b""
        kept = self.nodes
        if kept or nodes:
            left = [(at, node) for at, node in kept if not offset <= at < end]
            kept = tuple(sorted([*left, *((offset + at, node) for at, node in nodes.items())], key=_offset))
        return self._replace(data=self.data[:offset] + data + self.data[end:], undefined=mask, nodes=kept)

    def with_node(self, script: Script, offset: int, node: Node) -> Thing:
        """The object with a value that depends on inputs."""
        size = node.width // 8
        parts = {i: script.extract(8 * i + 7, 8 * i, node) for i in range(size)}
        data = bytes(0 if parts[i].value is None else parts[i].value or 0 for i in range(size))
        return self.with_bytes(offset, data, nodes={i: part for i, part in parts.items() if part.value is None})

    def node_at(self, offset: int) -> Node | None:
        """What depends on inputs at an offset, if something does."""
        self.check_kept(offset + 1)
        return next((node for at, node in self.nodes if at == offset), None)


def _offset(found: tuple[int, Node]) -> int:
    return found[0]


def made(size: int, contents: bytes | None, maker: int = STATIC, read_only: bool = False) -> Thing:
    """A new object; without contents nobody has written it."""
    kept = min(size, KEPT_BYTES)
    if contents is None:
        return Thing(size, bytes(kept), b"\1" * kept, (), maker)
    return Thing(size, contents[:kept] + bytes(kept - len(contents[:kept])), b"", (), maker, read_only)


def ended(thing: Thing) -> Thing:
    """What is left of an object that has ended: nothing can be in its slot but what begins there anew."""
    return Thing(0, b"", b"", (), thing.maker)
