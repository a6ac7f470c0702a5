"""`pincer show`: what the analysis explored, and the control flow of C programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.main import main

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "dse"


@pytest.mark.parametrize("what", ["tree", "lnfg"])
def test_tree_and_graph_are_drawn(tmp_path: Path, what: str) -> None:
    out = tmp_path / "out.svg"
    assert main(["show", str(BENCHMARKS / "paper" / "ac_controller.m"), "--what", what, "-o", str(out)]) == 0
    assert "<svg" in out.read_text()


def test_the_control_flow_is_listed_or_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "int twice(int y) { return y + y; }\nint main(void) { return twice(3); }\n"
    Path("p.c").write_text(text, encoding="utf-8")
    assert main(["show", "p.c", "--what", "cfg", "--function", "twice"]) == 0
    assert "procedure twice" in capsys.readouterr().out
    assert main(["show", "p.c", "-o", "flow.svg"]) == 0
    assert "<svg" in Path("flow.svg").read_text(encoding="utf-8")
    assert main(["show", "p.c", "--function", "gone"]) == 2
    assert "twice" in capsys.readouterr().err
