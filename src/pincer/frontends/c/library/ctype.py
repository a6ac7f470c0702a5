"""What `isspace` and its like may be asked about: the characters, and the end of a file; the bodies do the rest."""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import Site, known
from pincer.frontends.c.lowering.conversions import convert
from pincer.frontends.c.semantics.types import INT
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Check

_CLASSES = "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit"
CHARACTER_FUNCTIONS = (*_CLASSES.split(), "tolower", "toupper")
_LEAST_CHARACTER, _END_OF_FILE, _LAST = -128, -1, 255


def _must_be_character(site: Site) -> None:
    """C leaves open what happens with numbers that are neither the value of an `unsigned char` nor EOF.

    C libraries have an answer for negative characters, too, so that other properties may go on there."""
    frame = site.frame
    if len(site.arguments) != 1 or frame.unit.position(site.node).file.startswith("<"):
        return
    given = convert(frame, site.values()[0], INT).term
    message = f"{site.name} is given {site.spelled(0)}, which is neither an unsigned char nor EOF"
    frame.emit(Check("character", _is_within(given, _END_OF_FILE), message), site.node)
    frame.emit(Check("arguments", _is_within(given, _LEAST_CHARACTER), message), site.node)


def _is_within(given: Term, least: int) -> Term:
    """Whether a number lies between the least one and the last character."""
    bits = bitvectors.width(given)
    above = bitvectors.binary("bvsub", given, bitvectors.constant(least, bits))
    return bitvectors.compare("bvule", above, bitvectors.constant(_LAST - least, bits))


FUNCTIONS = known(CHARACTER_FUNCTIONS, _must_be_character)
