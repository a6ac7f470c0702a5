"""`pincer pptl`, as a user calls it."""

from __future__ import annotations

import json

import pytest

from pincer.cli.main import main


@pytest.mark.parametrize(
    ("formula", "status", "finite", "infinite"),
    [
        ("p && ()q", 0, "sat", "sat"),
        ("p && !p", 1, "unsat", "unsat"),
        ("<>empty && []more", 1, "unsat", "unsat"),
        ("[]more", 0, "unsat", "sat"),
        ("len(3)", 0, "sat", "unsat"),
        ("!(skip+) && []more", 1, "unsat", "unsat"),
    ],
)
def test_a_formula_is_decided_on_both_kinds_of_intervals(
    formula: str, status: int, finite: str, infinite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pptl", formula, "--format", "json"]) == status
    answer = json.loads(capsys.readouterr().out)
    assert (answer["finite"], answer["infinite"]) == (finite, infinite)


def test_validity_comes_with_a_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pptl", "<>p -> []p"]) == 0
    out = capsys.readouterr().out
    assert "not valid" in out and "counterexample" in out


def test_ltl_is_read_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pptl", "--ltl", "G p && F !p"]) == 1
    assert "not satisfiable" in capsys.readouterr().out


def test_a_broken_formula_is_a_mistake_with_its_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pptl", "p ; ("]) == 2
    assert "1:6" in capsys.readouterr().err
