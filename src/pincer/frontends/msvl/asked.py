"""Temporal formulas as users ask for them in a call: conditions of MSVL stand in braces."""

from __future__ import annotations

import re

from pincer.errors import PincerError, Position
from pincer.frontends.parsing import put_in_place
from pincer.temporal.parser import parse_formula, parse_ltl
from pincer.temporal.property import Define, Property

_CONDITION = re.compile(r"\{([^{}]*)\}")
_LTL = "ltl:"
_ONLY_IN_FORMULAS = re.compile(r"ltl:|[{}();]|\[\]|<>")


def is_formula(text: str) -> bool:
    """Whether a text can only be meant as a formula."""
    return _ONLY_IN_FORMULAS.search(text) is not None


def asked_property(text: str, file: str = "<--property>") -> Property:
    """A formula of PPTL, or of LTL after `ltl:`. The same condition is one proposition."""
    defines: dict[str, Define] = {}

    def named(match: re.Match[str]) -> str:
        condition = match[1].strip()
        begin = match.start(1) + len(match[1]) - len(match[1].lstrip())
        name = f"${len(defines) + 1}"
        found = defines.setdefault(condition, Define(name, condition, Position(file, 1, begin + 1)))
        return put_in_place(text, match.start(), match.end(), found.name)

    written = _CONDITION.sub(named, text)
    read = parse_ltl if text.startswith(_LTL) else parse_formula
    parsed = read(written.removeprefix(_LTL), file, (1, 1 + len(written) - len(written.removeprefix(_LTL))))
    names = {define.name for define in defines.values()}
    for name, where in parsed.propositions.items():
        if name not in names:
            raise PincerError(f"`{name}` has no meaning; write a condition in braces, such as `{{x=1}}`", where)
    return Property(parsed.formula, tuple(defines.values()), written, Position(file, 1, 1), parsed.warnings)
