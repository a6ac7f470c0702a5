"""The words of KLEE: objects with any contents, numbers in a range, assumptions, hints."""

from __future__ import annotations

from pincer.frontends.c.library.verifier import assumption
from pincer.frontends.c.lowering.any_contents import ContentsOrigin, any_contents
from pincer.frontends.c.lowering.calls import Site, any_value, words
from pincer.frontends.c.lowering.conversions import NOTHING, convert, zero
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.types import INT, VOID, Integer
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume, Fail, FailKind, Halt

_HINTS = (
    "klee_prefer_cex", "klee_posix_prefer_cex", "klee_warning", "klee_warning_once", "klee_print_expr",
    "klee_print_range", "klee_open_merge", "klee_close_merge", "klee_stack_trace", "klee_mark_global",
    "klee_set_forking",
)  # fmt: skip


def _make_symbolic(site: Site) -> Value:
    """The bytes of an object take any values; the text that is the third argument names them in reports."""
    given = site.values()
    size = convert(site.frame, given[1], site.frame.target.size_type).term
    named = (site.literal(2) or "").split()
    source = f"{'_'.join(named)} by {site.name}" if named else site.name
    any_contents(site.frame, site.pointer(0), size, ContentsOrigin(source), site.node)
    return NOTHING


def _range(site: Site) -> Value:
    """A number from the first argument to the second, which it does not reach."""
    frame = site.frame
    low, high = (convert(frame, bound, INT).term for bound in site.values()[:2])
    given = any_value(frame, INT, site.name, "nondet", site.node)
    frame.emit(Assume(bitvectors.compare("bvsle", low, given.term)), site.node)
    frame.emit(Assume(bitvectors.compare("bvslt", given.term, high)), site.node)
    return given


def _choose(site: Site) -> Value:
    """A number below the argument."""
    frame = site.frame
    type = site.result if isinstance(site.result, Integer) else frame.target.size_type
    bound = convert(frame, site.values()[0], type).term
    given = any_value(frame, type, site.name, "nondet", site.node)
    frame.emit(Assume(bitvectors.compare("bvult", given.term, bound)), site.node)
    return given


def _number(site: Site) -> Value:
    site.run_effects()
    return any_value(site.frame, INT, site.name, "nondet", site.node)


def _hint(site: Site) -> Value:
    site.run_effects()
    return zero(site.frame, site.result)


def _error(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Fail(f"{site.name}() is called", FailKind.ERROR_FUNCTION), site.node)
    return zero(site.frame, site.result)


def _exit(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Halt(site.name), site.node)
    return zero(site.frame, site.result)


def _unknown_word(site: Site) -> Value:
    site.frame.unsupported(f"the word {site.name} of KLEE", site.node)
    return zero(site.frame, site.result)


FUNCTIONS = {
    **words(("klee_make_symbolic",), _make_symbolic, VOID),
    **words(("klee_assume",), assumption, VOID),
    **words(("klee_range",), _range, INT),
    **words(("klee_int",), _number, INT),
    **words(("klee_choose",), _choose, lambda use: use.target.size_type),
    **words(_HINTS, _hint, VOID),
    **words(("klee_report_error", "klee_abort"), _error, VOID),
    **words(("klee_silent_exit",), _exit, VOID),
    **words(("klee_*",), _unknown_word),
}
