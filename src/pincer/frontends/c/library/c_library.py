"""Functions that the C library defines and that have no model: what they do is not guessed.

Those that get and return numbers only may return any of them; the compiled test calls the library's own function, so
that no stub can be what goes wrong. All others are unsupported by name. The names are those that the GNU C library
and its mathematical part define.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pincer.frontends.c.lowering.calls import Site
from pincer.frontends.c.lowering.conversions import zero
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.context import by_name
from pincer.frontends.c.semantics.types import CType, Floating, Integer, Void
from pincer.program.property import Assumption


@cache
def c_library_names() -> frozenset[str]:
    """The functions that the C library defines."""
    return frozenset(Path(__file__).with_name("c_library_names.txt").read_text(encoding="utf-8").split())


def of_the_c_library(site: Site) -> Value | None:
    """A call that nothing else lowers, if the C library defines the function."""
    if site.name not in c_library_names() - site.frame.unit.program.foreign:
        return None
    if by_name(site.frame.unit.means.functions, site.name) is not None:
        return None
    types = (site.type.result, *site.type.parameters, *(argument.type for argument in site.arguments))
    site.run_effects()
    if site.type.variadic or not all(map(_is_number, types)):
        site.frame.unsupported(f"the function {site.name} of the C library", site.node)
        return zero(site.frame, site.type.result)
    what = f"the C library's `{site.name}` returns any value and touches no memory"
    site.frame.unit.assume(Assumption(what))
    return site.input(site.name, site.type.result, "library")


def _is_number(type: CType) -> bool:
    return isinstance(type, Integer | Floating | Void)
