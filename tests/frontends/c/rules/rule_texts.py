"""Rules, and how mistakes in them are told, for the tests beside this module."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.rules import Instrumentation, parse_rules

LOCK = """\
rule Lock "Locks are taken and given back in turn.";
state per object bool held = 0;
on call take(lock) per object argument 1 { assert !held "taken twice"; held = 1; }
on call give(lock) per object argument 1 { assert held "not taken"; held = 0; }
on return from run { assert !held "kept"; }
"""


COUNT = """\
rule Count;
const LIMIT = 2 + 1;
state unsigned char calls;
on call f(a, void *p) before { if (a > 0 && p != 0) { calls = calls + 1; } else if (a == -1) { calls = 0; } }
on call f(_, _) after giving long r { assert calls <= LIMIT && r "too many"; }
"""


def parse(text: str) -> Instrumentation:
    return parse_rules(text, "test.rule")


def mistake(text: str, message: str) -> None:
    """The error in a rule must have this message and point at the place where `@` stands."""
    line = next(number for number, content in enumerate(text.splitlines(), 1) if "@" in content)
    column = text.splitlines()[line - 1].index("@") + 1
    plain = text.replace("@", "", 1)
    with pytest.raises(PincerError) as caught:
        parse(plain)
    assert str(caught.value.position) == f"test.rule:{line}:{column}"
    assert caught.value.excerpt == plain.splitlines()[line - 1]
    assert message in caught.value.message
