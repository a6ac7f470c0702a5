"""The words of SV-COMP, CBMC and ESBMC that ask about objects, or give them any contents."""

from __future__ import annotations

from msgspec.structs import replace

from pincer.frontends.c.lowering.any_contents import ContentsOrigin, any_contents
from pincer.frontends.c.lowering.calls import Handler, Site, words
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import NOTHING, convert, truth_value, zero
from pincer.frontends.c.lowering.memory import spill
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.context import Use
from pincer.frontends.c.semantics.types import INT, UNSIGNED_CHAR, VOID, CType, Pointer
from pincer.logic import bitvectors, terms


def _is_accessible(site: Site) -> Value:
    """Whether so many bytes lie inside of a live object."""
    frame = site.frame
    address, size = site.pointer(0).term, convert(frame, site.values()[1], frame.target.size_type).term
    room, offset = bitvectors.room(address), frame.unit.layout.offset(address)
    fits = terms.conjunction(
        bitvectors.compare("bvule", size, room),
        bitvectors.compare("bvule", offset, bitvectors.binary("bvsub", room, size)),
    )
    return truth_value(terms.disjunction(terms.equal(size, frame.address(0)), fits))


def _size(site: Site) -> Value:
    """The size of a live object; of one that is over, verifiers and compilers say different things."""
    frame = site.frame
    address = spill(frame, site.pointer(0)).term
    gone = terms.equal(bitvectors.room(address), frame.address(0))
    with only_if(frame, gone, site.node):
        frame.unsupported("the size of an object that is not there", site.node)
    return Value(frame.target.size_type, bitvectors.room(address))


def _offset(site: Site) -> Value:
    return Value(site.frame.target.size_type, site.frame.unit.layout.offset(site.pointer(0).term))


def _is_same(site: Site) -> Value:
    """Whether two pointers point into one object."""
    layout = site.frame.unit.layout
    first, second = (site.pointer(number).term for number in (0, 1))
    starts = [bitvectors.binary("bvsub", address, layout.offset(address)) for address in (first, second)]
    return truth_value(terms.equal(*starts))


def _havoc_object(site: Site) -> Value:
    """All bytes of the object that is pointed into take any values."""
    pointer = spill(site.frame, replace(site.pointer(0), type=Pointer(UNSIGNED_CHAR)))
    start = bitvectors.binary("bvsub", pointer.term, site.frame.unit.layout.offset(pointer.term))
    size = bitvectors.room(pointer.term)
    any_contents(site.frame, replace(pointer, term=start), size, ContentsOrigin(site.name), site.node)
    return NOTHING


def _havoc_slice(site: Site) -> Value:
    size = convert(site.frame, site.values()[1], site.frame.target.size_type).term
    any_contents(site.frame, site.pointer(0), size, ContentsOrigin(site.name), site.node)
    return NOTHING


def _hint(site: Site) -> Value:
    site.run_effects()
    return zero(site.frame, site.result)


def _with(count: int, handler: Handler) -> Handler:
    """A word that needs so many arguments."""

    def lower(site: Site) -> Value | None:
        if len(site.arguments) == count:
            return handler(site)
        site.frame.unsupported(f"{site.name} with {len(site.arguments)} arguments", site.node)
        return zero(site.frame, site.result)

    return lower


def _size_type(use: Use) -> CType:
    return use.target.size_type


_HINTS = (
    "__CPROVER_input", "__CPROVER_output", "__CPROVER_cover", "__CPROVER_printf", "__ESBMC_cover", "__ESBMC_yield",
)  # fmt: skip
FUNCTIONS = {
    **words(("__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok", "__ESBMC_r_ok"), _with(2, _is_accessible), INT),
    **words(("__CPROVER_OBJECT_SIZE", "__ESBMC_get_object_size"), _with(1, _size), _size_type),
    **words(("__CPROVER_POINTER_OFFSET", "__ESBMC_POINTER_OFFSET"), _with(1, _offset), _size_type),
    **words(("__CPROVER_same_object", "__ESBMC_same_object"), _with(2, _is_same), INT),
    **words(("__CPROVER_havoc_object",), _with(1, _havoc_object), VOID),
    **words(("__CPROVER_havoc_slice", "__VERIFIER_nondet_memory"), _with(2, _havoc_slice), VOID),
    **words(_HINTS, _hint, VOID),
}
