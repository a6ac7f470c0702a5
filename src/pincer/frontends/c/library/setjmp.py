"""`setjmp.h`: places to come back to, and jumps there."""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import Site, known
from pincer.frontends.c.lowering.conversions import NOTHING, convert, number
from pincer.frontends.c.lowering.long_jumps import jump, landing, new_mark
from pincer.frontends.c.lowering.memory import assign, read, spill
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics.types import INT, VOID, Pointer
from pincer.frontends.c.semantics.usage import JUMPERS, SETTERS

_MARK = Pointer(VOID)


def _buffer(site: Site) -> MemoryPlace:
    """Where the mark lies: at the start of the buffer."""
    pointer = site.pointer(0)
    return MemoryPlace(_MARK, pointer.term, site.arguments[0].written, pointer.origin)


def _is_refused(site: Site) -> bool:
    if site.frame.unit.threaded:
        site.frame.unsupported(f"{site.name} in a program with threads", site.node)
    elif not site.arguments:
        site.frame.unsupported(f"{site.name} without a buffer", site.node)
    else:
        return False
    return True


def _set(site: Site) -> Value:
    if _is_refused(site):
        return number(0, INT)
    mark = new_mark(site.frame)
    buffer = _buffer(site)
    assign(site.frame, buffer, Value(_MARK, mark), site.node)
    return landing(site.frame, mark, buffer.address, site.node)


def _jump(site: Site) -> Value:
    if _is_refused(site):
        return NOTHING
    delivered = convert(site.frame, site.values()[1], INT) if len(site.arguments) > 1 else number(1, INT)
    mark = spill(site.frame, read(site.frame, _buffer(site)))
    jump(site.frame, mark.term, delivered.term, site.node)
    return NOTHING


FUNCTIONS = {**known(SETTERS, _set, INT), **known(JUMPERS, _jump, VOID)}
