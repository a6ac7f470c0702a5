"""Operands of different widths are refused by the checker of proofs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node, Script

CHECKED: list[Callable[[Script, Node, Node], Node]] = [
    Script.equal,
    Script.add,
    Script.difference,
    Script.at_most,
    lambda script, a, b: script.binary("bvand", a, b),
    lambda script, a, b: script.compare("bvsle", a, b),
    lambda script, a, b: script.conditional(script.at_most(a, a), a, b),
]


@pytest.mark.parametrize("build", CHECKED)
def test_the_checker_refuses_operands_of_different_widths(build: Callable[[Script, Node, Node], Node]) -> None:
    script = Script()
    with pytest.raises(PincerError, match="35 and of 32 bits"):
        build(script, script.variable("a", 35), script.variable("b", 32))
