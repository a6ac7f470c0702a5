"""What an editor offers at a line."""

from __future__ import annotations

import pytest
from lsprotocol.types import CodeAction

from pincer.cli.editing.actions import actions_at
from pincer.cli.editing.proofs import Proofs, proofs_of

TEXT = "#include <assert.h>\nint main(void) {\n    while (n) {\n    }\n}\n"


def offered(invariant: str, text: str = TEXT, line: int = 2, uri: str = "file:///a.c") -> list[CodeAction]:
    found = actions_at(uri, line, [], Proofs({line: [invariant]}), text)
    return [action for action in found if action.edit is not None]


def test_an_invariant_is_asserted_before_its_loop() -> None:
    [action] = offered("i <= n && n >= 0")
    assert action.edit is not None and action.edit.changes is not None
    [edit] = action.edit.changes["file:///a.c"]
    assert (edit.range.start.line, edit.new_text) == (2, "    assert(i <= n && n >= 0);\n")


def test_the_header_is_added_where_it_is_missing() -> None:
    [action] = offered("n", TEXT.replace("#include <assert.h>", ""))
    assert action.edit is not None and action.edit.changes is not None
    assert next(edit.new_text for edit in action.edit.changes["file:///a.c"]) == "#include <assert.h>\n"


@pytest.mark.parametrize(
    ("invariant", "text", "line"),
    [("n; system(0)", TEXT, 2), ("forall {x}", TEXT, 2), ("n", TEXT, 1), ("n", TEXT, 99)],
)
def test_what_is_no_expression_before_a_loop_is_not_offered(invariant: str, text: str, line: int) -> None:
    assert offered(invariant, text, line) == []


def test_programs_that_are_not_compiled_have_no_such_actions() -> None:
    assert list(actions_at("file:///a.gcl", 0, [], Proofs(), "")) == []


def test_proofs_are_read_from_a_report() -> None:
    holds = {
        "name": "memory",
        "verdict": "safe",
        "invariants": [{"line": 4, "text": "x <= 3", "place": "loop"}, {"text": "y", "place": ""}],
        "coverage": {"proof": [4, 5], "tests": [], "all": [4, 5]},
    }
    proofs = proofs_of({"files": [{"properties": [holds, {"name": "b", "verdict": "unsafe"}]}]})
    assert proofs.told(3) == ["always here: x <= 3", "proved for all inputs: memory"]
    assert proofs.told(4) == ["proved for all inputs: memory"]
    assert proofs.told(0) == []
