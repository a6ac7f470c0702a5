"""Values with terms in them for another process: terms are written once each, arguments first, and made anew there.

Terms are interned in one process, and normal forms depend on the order in which terms were made; whoever reads them
builds each term by its operation again.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from pincer.logic import bitvectors, terms
from pincer.logic.terms import BOOL, INT, Sort, Term

_SORT = "sort"


def packed(value: Any) -> bytes:
    """A value of plain data and terms as bytes; only for a process that is trusted as much as this one."""
    table: dict[Term, int] = {}
    nodes: list[bytes] = []

    def known(term: Term) -> int:
        for part in terms.unknown_first(term, table):
            table[part] = len(table)
            nodes.append(_pickled((part.op, part.args, part.sort), table.__getitem__))
        return table[term]

    content = _pickled(value, known)
    return pickle.dumps((nodes, content))


def unpacked(data: bytes) -> Any:
    """The value of bytes that `packed` made."""
    nodes, content = pickle.loads(data)
    made: list[Term] = []
    for node in nodes:
        op, args, sort = _Unpickler(node, made).load()
        made.append(terms.rebuild(terms.intern(op, args, sort), lambda part: part))
    return _Unpickler(content, made).load()


def _pickled(value: Any, number: Any) -> bytes:
    out = io.BytesIO()
    _Pickler(out, number).dump(value)
    return out.getvalue()


class _Pickler(pickle.Pickler):
    def __init__(self, out: io.BytesIO, number: Any) -> None:
        super().__init__(out)
        self._number = number

    def persistent_id(self, value: Any) -> Any:
        if isinstance(value, Term):
            return self._number(value)
        return (_SORT, value.name, value.width) if isinstance(value, Sort) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, made: list[Term]) -> None:
        super().__init__(io.BytesIO(data))
        self._made = made

    def persistent_load(self, key: Any) -> Any:
        if isinstance(key, int):
            return self._made[key]
        _, name, width = key
        if width is not None:
            return bitvectors.sort(width)
        return BOOL if name == BOOL.name else INT
