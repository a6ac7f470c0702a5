"""What passes share."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic import bitvectors
from pincer.logic.terms import equal
from pincer.program.control_flow import Assign, Fail, FailKind
from pincer.program.passes.edges import always_holds, fresh_locations, with_edges, without_failures
from tests.program.passes.passed_programs import FAILING, failures, lowered


def test_fresh_locations_are_no_locations_of_the_program(tmp_path: Path) -> None:
    program = lowered(tmp_path, FAILING)
    used = {place for edge in program.edges() for place in (edge.source, edge.target)}
    fresh = fresh_locations(program)
    assert used.isdisjoint({next(fresh), next(fresh)})


def test_edges_may_be_left_out_or_doubled(tmp_path: Path) -> None:
    program = lowered(tmp_path, FAILING)
    changed = with_edges(program, lambda _, edge: () if isinstance(edge.label, Fail) else (edge, edge))
    kept = [edge for edge in program.edges() if not isinstance(edge.label, Fail)]
    assert list(changed.edges()) == [edge for edge in kept for _ in range(2)]


def test_only_failures_of_the_kinds_kept_stay(tmp_path: Path) -> None:
    program = lowered(tmp_path, FAILING)
    assert not failures(without_failures(program, ()))
    assert failures(without_failures(program, {FailKind.LABEL})) == {"the label ERROR is reached"}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("int main(void) { int x = 3; g = x; return 0; }", True),
        ("int main(void) { int x = 3; if (g) x = 4; g = x; return 0; }", False),
        ("int main(void) { int x = g; g = x; return 0; }", False),
        ("int main(void) { int x = 3; int y = x; x = 5; g = y; return 0; }", True),
    ],
)
def test_what_holds_by_the_assignments_on_the_only_way(tmp_path: Path, text: str, holds: bool) -> None:
    program = lowered(tmp_path, "int g;\n" + text + "\n")
    main = program.procedures["main"]
    (edge,) = [e for e in main.edges if isinstance(e.label, Assign) and str(e.label.register) == "g"]
    assert isinstance(edge.label, Assign)
    assert always_holds(main, edge, equal(edge.label.value, bitvectors.constant(3, 32))) is holds


def test_an_exit_that_is_never_reached_is_no_fresh_location(tmp_path: Path) -> None:
    program = lowered(tmp_path, "void exit(int);\nint main(void) { exit(0); }\n")
    assert next(fresh_locations(program)) > program.procedures["main"].exit
