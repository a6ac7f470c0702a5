"""What proofs say about lines is read from a report, and told once."""

from __future__ import annotations

from typing import Any

import pytest

from pincer.cli.editing.proofs import Proofs, proofs_of


def report(*properties: dict[str, Any]) -> dict[str, Any]:
    return {"files": [{"properties": list(properties)}]}


def proved(name: str, lines: tuple[int, ...] = (), *invariants: tuple[int | None, str]) -> dict[str, Any]:
    told = [{"line": line, "text": text, "place": "loop"} for line, text in invariants]
    return {"name": name, "verdict": "safe", "invariants": told, "coverage": {"proof": list(lines), "all": []}}


def test_nothing_is_told_where_nothing_is_known() -> None:
    assert Proofs().told(0) == []
    assert proofs_of(report()) == Proofs()


def test_invariants_come_before_the_properties() -> None:
    proofs = proofs_of(report(proved("memory", (4, 5), (4, "x <= 3"), (4, "y > 0"))))
    assert proofs.told(3) == ["always here: x <= 3", "always here: y > 0", "proved for all inputs: memory"]
    assert proofs.told(4) == ["proved for all inputs: memory"]
    assert proofs.told(5) == []


def test_properties_of_a_line_are_told_together_and_invariants_once() -> None:
    proofs = proofs_of(report(proved("memory", (4,), (4, "x <= 3")), proved("overflow", (4,), (4, "x <= 3"), (4, "z"))))
    assert proofs.told(3) == ["always here: x <= 3", "always here: z", "proved for all inputs: memory, overflow"]


@pytest.mark.parametrize("verdict", ["unsafe", "unknown"])
def test_only_what_is_proved_is_told(verdict: str) -> None:
    assert proofs_of(report({**proved("memory", (4,), (4, "x")), "verdict": verdict})) == Proofs()


def test_an_invariant_without_a_line_is_left_out() -> None:
    proofs = proofs_of(report(proved("memory", (), (None, "x"), (0, "y"))))
    assert proofs.invariants == {}


def test_reports_without_invariants_or_coverage_say_nothing() -> None:
    assert proofs_of(report({"name": "memory", "verdict": "safe"})) == Proofs()


def test_only_the_first_file_is_meant() -> None:
    data = report(proved("memory", (1,)))
    data["files"].append({"properties": [proved("overflow", (1,))]})
    assert proofs_of(data).told(0) == ["proved for all inputs: memory"]


def test_what_could_steer_a_terminal_is_shown_and_not_sent() -> None:
    proofs = proofs_of(report(proved("mem\x1b[31mory", (4,), (4, "x \x1b]0;\x07"))))
    assert all("\x1b" not in text and "\x07" not in text for text in proofs.told(3))
    assert len(proofs.told(3)) == 2


def test_reports_do_not_share_what_they_say() -> None:
    proofs_of(report(proved("memory", (1,), (1, "x"))))
    assert Proofs().invariants == {} and Proofs().covered == {}
