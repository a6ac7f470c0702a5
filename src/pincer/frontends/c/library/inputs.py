"""What the bodies of the library get from outside: bytes of files, numbers, failures, and the error that is noted.

A body names what it asks for in words, which reports show; the harness of a compiled test, in which such functions are
built from the same text, delivers the values in the same order.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import Site, any_value, known
from pincer.frontends.c.lowering.conversions import NOTHING, convert, number
from pincer.frontends.c.lowering.expressions import place
from pincer.frontends.c.lowering.memory import assign
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import INT, VOID, Integer
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume, Input
from pincer.program.thread_labels import AtomicBegin, AtomicEnd

_LAST_ERROR = 133
_WATCHERS = frozenset(("feof", "ferror", "ungetc", "clearerr", "ftell", "ftello"))
_DELIVERED_ERROR, _OTHER_ERROR = "number of an error", "number of another error"


def _pick(site: Site) -> Value:
    """Any value between two bounds; tests that want no other take the one that is given last."""
    source, type = site.literal(0), site.result
    assert source is not None and isinstance(type, Integer)
    low, high, usual = (convert(site.frame, given, type).term for given in site.values()[1:4])
    register = site.frame.temporary(type.bits)
    plain = bitvectors.constant_value(usual)
    site.frame.emit(Input(register, source, "external", type.signed, plain or 0), site.node)
    order = "bvsle" if type.signed else "bvule"
    site.frame.emit(Assume(bitvectors.compare(order, low, register)), site.node)
    site.frame.emit(Assume(bitvectors.compare(order, register, high)), site.node)
    return Value(type, register)


def streams_are_watched(site: Site) -> bool:
    """Whether the program looks at the state of its streams; otherwise they need none."""
    program = site.frame.unit.program
    return not program.usage.threaded and not _WATCHERS.isdisjoint(program.library)


def _watched(site: Site) -> Value:
    return number(int(streams_are_watched(site)), INT)


def _failures_show(site: Site) -> Value:
    """Whether a failure that nobody asks for leaves a trace: in the state of a stream, or in errno."""
    return number(int(streams_are_watched(site) or errors_are_noted(site)), INT)


def errors_are_noted(site: Site) -> bool:
    """Whether the program has the variable errno."""
    return _error_variable(site) is not None


def _error_variable(site: Site) -> Variable | None:
    names = site.frame.unit.program.scope.names
    found = names.get("errno") or names.get("__library_errno")
    return found if isinstance(found, Variable) and found.defined else None


def note_any_error(site: Site, source: str = _OTHER_ERROR) -> None:
    """The variable errno, if the program has it, gets the number of any error."""
    found = _error_variable(site)
    if found is None:
        return
    error = any_value(site.frame, INT, source, "external", site.node)
    low, high = (bitvectors.constant(bound, INT.bits) for bound in (1, _LAST_ERROR))
    site.frame.emit(Assume(bitvectors.compare("bvsle", low, error.term)), site.node)
    site.frame.emit(Assume(bitvectors.compare("bvsle", error.term, high)), site.node)
    where = place(site.frame, tree.Object(type=INT, written=site.node, variable=found))
    assign(site.frame, where, error, site.node)


def _any_error(site: Site) -> Value:
    note_any_error(site, _DELIVERED_ERROR)
    return NOTHING


def _other_error(site: Site) -> Value:
    note_any_error(site)
    return NOTHING


def _unsupported(site: Site) -> Value:
    site.frame.unsupported(site.literal(0) or "a part of the C library", site.node)
    return NOTHING


def _at_once(site: Site) -> Value:
    """From here on, or up to here, nothing of another thread comes between."""
    begins = bitvectors.constant_value(site.values()[0].term)
    if site.frame.unit.threaded:
        site.frame.emit(AtomicBegin() if begins else AtomicEnd(), site.node)
    return NOTHING


def _assume(site: Site) -> Value:
    condition = site.values()[0].term
    none = bitvectors.constant(0, bitvectors.width(condition))
    site.frame.emit(Assume(bitvectors.compare("bvult", none, condition)), site.node)
    return NOTHING


FUNCTIONS = {
    **known(("__pincer_pick",), _pick, INT),
    **known(("__pincer_pick_long",), _pick, lambda use: use.target.long),
    **known(("__pincer_pick_size",), _pick, lambda use: use.target.size_type),
    **known(("__pincer_watched",), _watched, INT),
    **known(("__pincer_failures_show",), _failures_show, INT),
    **known(("__pincer_any_errno",), _any_error, VOID),
    **known(("__pincer_other_errno",), _other_error, VOID),
    **known(("__pincer_unsupported",), _unsupported, VOID),
    **known(("__pincer_assume",), _assume, VOID),
    **known(("__pincer_at_once",), _at_once, VOID),
}
