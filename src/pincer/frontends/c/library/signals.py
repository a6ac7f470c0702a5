"""What becomes of signals: they are ignored, or end the program, which no property asks about.

A handler that the program installs could run between any two steps: that is not modelled.
"""

from __future__ import annotations

from pincer.frontends.c.library.inputs import errors_are_noted, note_any_error
from pincer.frontends.c.lowering.calls import Site, any_value, known
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import zero
from pincer.frontends.c.lowering.expressions import foreseen_value
from pincer.frontends.c.lowering.values import Value
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assume

_DEFAULT, _IGNORE, _ERROR = 0, 1, -1


def _signal(site: Site) -> Value:
    """`signal(number, SIG_IGN)` and SIG_DFL: what was there before is one of the two, or an error."""
    frame = site.frame
    handler = foreseen_value(frame, site.arguments[1]) if len(site.arguments) == 2 else None
    if handler is None or bitvectors.constant_value(handler.term) not in (_DEFAULT, _IGNORE):
        frame.unsupported("a handler of signals", site.node)
        return zero(frame, site.result)
    site.run_effects()
    before = any_value(frame, site.result, "handler of a signal before", "external", site.node)
    bits = bitvectors.width(before.term)
    known_values = [terms.equal(before.term, bitvectors.constant(code, bits)) for code in (_DEFAULT, _IGNORE, _ERROR)]
    frame.emit(Assume(terms.disjunction(*known_values)), site.node)
    if errors_are_noted(site):
        with only_if(frame, known_values[-1], site.node):
            note_any_error(site)
    return before


FUNCTIONS = known(("signal", "bsd_signal", "ssignal"), _signal)
