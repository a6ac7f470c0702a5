"""In the form that termination is decided on, failures are ends and no step leads back to the entry."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Fail, Halt
from pincer.program.passes import Termination, instrumented
from pincer.program.passes.termination import BEHAVIOUR_IS_DEFINED
from tests.engines.dash.dash_runs import loaded


def test_a_failing_assertion_is_an_end(tmp_path: Path) -> None:
    program = instrumented(loaded(tmp_path, "int main(void) { assert(0); }"), Termination())
    labels = [edge.label for edge in program.edges()]
    assert any(isinstance(label, Halt) for label in labels)
    assert not any(isinstance(label, Fail) for label in labels)


def test_no_step_leads_back_to_the_entry(tmp_path: Path) -> None:
    written = loaded(tmp_path, "int main(void) { while (1); }")
    main = instrumented(written, Termination()).procedures["main"]
    assert written.procedures["main"].entry in main.loop_heads
    assert main.entry not in main.incoming
    assert main.following(main.entry) == [written.procedures["main"].entry]


def test_that_behaviour_is_defined_is_assumed_where_it_may_not_be(tmp_path: Path) -> None:
    safe = instrumented(loaded(tmp_path, "int main(void) { return 0; }"), Termination())
    unsafe = instrumented(loaded(tmp_path, "int main(int c, char **v) { return 5 / c; }"), Termination())
    assert BEHAVIOUR_IS_DEFINED not in safe.assumptions
    assert BEHAVIOUR_IS_DEFINED in unsafe.assumptions
