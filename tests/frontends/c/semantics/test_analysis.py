"""Whole programs with their types: bodies on demand, lengths that are computed, labels, what declarations say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics import analysis, tree
from pincer.frontends.c.semantics.types import Array, Length
from tests.frontends.c.typed_c import body, typed


def test_only_the_bodies_that_are_asked_for_are_looked_at(tmp_path: Path) -> None:
    program = typed(tmp_path, "int f(void) { return y; } int main(void) { return 0; }")
    first = analysis.body(program, "main")
    assert analysis.body(program, "main") is first
    with pytest.raises(PincerError, match="`y` is not declared"):
        analysis.body(program, "f")


def test_lengths_are_computed_where_they_are_declared(tmp_path: Path) -> None:
    group = body(tmp_path, "int main(void) { int n = 2; int a[n][3]; return sizeof a; }").block.statements[1]
    assert isinstance(group, tree.Group)
    measure, declare = group.statements
    assert isinstance(measure, tree.Measure) and isinstance(declare, tree.Declare)
    type = declare.variable.type
    assert isinstance(type, Array) and isinstance(type.length, Length) and measure.lengths == (type.length,)


def test_lengths_of_parameters_are_computed_at_the_start(tmp_path: Path) -> None:
    program = typed(tmp_path, "int f(int n, int a[n][n]) { return a[1][1]; } int main(void) { return 0; }")
    assert len(analysis.body(program, "f").lengths) == 1


def test_constant_variables_are_constants(tmp_path: Path) -> None:
    program = typed(tmp_path, "static const int n = 3; int a[n]; int main(void) { return a[0]; }")
    assert list(program.constants.values()) == [3]


def test_blocks_say_whether_jumps_lead_into_them(tmp_path: Path) -> None:
    text = "int main(void) { { int x; } { again: ; } switch (1) { case 1: { case 2: ; } } goto again; }"
    first, second, switch, _ = body(tmp_path, text).block.statements
    assert isinstance(first, tree.Block) and not first.entered
    assert isinstance(second, tree.Block) and second.entered
    assert isinstance(switch, tree.Switch) and [case.low for case in switch.cases] == [1, 2]


def test_local_labels_are_told_apart(tmp_path: Path) -> None:
    text = "int main(void) { { __label__ a; a: goto a; } { __label__ a; a: goto a; } }"
    inner = [block.statements for block in body(tmp_path, text).block.statements if isinstance(block, tree.Block)]
    names = [label.name for labels in inner for label in labels if isinstance(label, tree.Label)]
    assert len(names) == 2 and len(set(names)) == 2


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("break;", "outside a loop or switch"),
        ("continue;", "outside a loop"),
        ("case 1: ;", "outside a switch"),
        ("goto nowhere;", "no label `nowhere`"),
        ("a: ; a: ;", "there twice"),
        ("switch (1.5) { }", "needs an integer"),
    ],
)
def test_jumps_must_lead_somewhere(tmp_path: Path, statement: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason):
        body(tmp_path, f"int main(void) {{ {statement} return 0; }}")
