"""What a page is told about a real check: its own file, its own lines, and no folder of the server."""

from __future__ import annotations

from pathlib import Path

from pincer.cli.serving.checks import Outcome
from pincer.cli.serving.orders import Bounds, Order
from pincer.cli.serving.runner import check_order


def outcome(text: str, seconds: float = 30.0) -> Outcome:
    return check_order(Order("mine.c", text, "auto", "", seconds), Bounds(), lambda progress: None)


def test_a_mistake_has_its_line() -> None:
    assert outcome("int main(void)\n{\n    int x = ;\n}\n").error == {
        "kind": "error",
        "message": "expected an expression before `;`",
        "line": 3,
        "column": 13,
    }


def test_a_mistake_in_an_included_file_is_not_blamed_on_a_line_of_the_program(tmp_path: Path) -> None:
    header = tmp_path / "wrong.h"
    header.write_text("\n\nint x = ;\n", encoding="utf-8")
    error = outcome(f'#include "{header}"\nint main(void) {{ return 0; }}\n').error
    assert error == {"kind": "error", "message": f"{header}:3:9: expected an expression before `;`"}


def test_a_violation_has_its_line_and_names_no_folder() -> None:
    seen = outcome("#include <assert.h>\nint main(void)\n{\n    assert(0);\n    return 0;\n}\n")
    shown = seen.properties[0]
    assert (shown["verdict"], shown["why"], shown["line"]) == ("unsafe", "assertion 0 fails at mine.c:4:5", 4)
    assert "mine.c" in seen.report
    assert "/mine.c" not in seen.report


def test_control_characters_of_a_program_are_spelled_out() -> None:
    seen = outcome('#include <assert.h>\nint main(void) { assert(0 && "\x1b[31m\u202e"); return 0; }\n')
    said = [str(one["why"]) for one in seen.properties] + [str((seen.error or {}).get("message", ""))]
    assert not {"\x1b", "\u202e"} & set("".join(said))
    assert "\x1b" not in seen.report
