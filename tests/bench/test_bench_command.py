"""`pincer bench`: small tables run end to end."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.bench import ase_rows
from pincer.bench.ase_rows import Family
from pincer.cli import bench
from pincer.errors import PincerError


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return bench.run(parser.parse_args(words))


def test_a_row_runs_with_every_tool_and_its_evidence_is_checked(tmp_path: Path) -> None:
    output, picture = tmp_path / "out.json", tmp_path / "out.svg"
    pytest.importorskip("matplotlib")
    assert _run("ase", "--rows", "ticket2", "--json", str(output), "--plot", str(picture)) == 0
    by_tool = {entry["tool"]: entry for entry in json.loads(output.read_text())["measurements"]}
    assert [by_tool[tool]["status"] for tool in ("ase", "ur", "spacer")] == ["safe"] * 3
    assert by_tool["ase"]["evidence"] == by_tool["ur"]["evidence"] == "certified"
    assert by_tool["ase"]["published"]["states"] == 22
    assert "<svg" in picture.read_text()


def test_a_counterexample_is_replayed(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    assert _run("ase", "--rows", "RAX-deadlock", "--tools", "ase", "--json", str(output)) == 0
    (entry,) = json.loads(output.read_text())["measurements"]
    assert (entry["status"], entry["evidence"]) == ("unsafe", "replayed")


def test_ur_refuses_nondeterministic_rows_without_being_wrong(tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    assert _run("ase", "--rows", "synapse", "--tools", "ur", "--json", str(output)) == 0
    (entry,) = json.loads(output.read_text())["measurements"]
    assert entry["status"] == "refused"


@pytest.mark.parametrize("row", ["ticket2", "ticket3-10", "RAX", "RAX-5", "RAX-deadlock"])
def test_paper_mode_reproduces_exact_rows(row: str, tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    assert _run("ase", "--paper", "--rows", row, "--tools", "ase", "--no-check", "--json", str(output)) == 0
    (entry,) = json.loads(output.read_text())["measurements"]
    assert entry["count_differences"] == []


def test_growth_stops_asking_a_tool_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ase_rows, "GROWING", (Family("ticket", "ase/ticket.gcl", "mutex", (6, 7)),))
    output = tmp_path / "out.json"
    assert _run("growth", "--tools", "spacer", "--timeout", "0.05", "--json", str(output)) == 0
    assert len(json.loads(output.read_text())["measurements"]) == 1


def test_every_family_is_safe_and_has_a_mistake_that_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    smallest = tuple(replace(family, sizes=family.sizes[:1]) for family in ase_rows.GROWING)
    monkeypatch.setattr(ase_rows, "GROWING", smallest)
    output = tmp_path / "out.json"
    assert _run("growth", "--tools", "ase", "--json", str(output)) == 0
    found = {entry["row"]: entry["status"] for entry in json.loads(output.read_text())["measurements"]}
    for family in smallest:
        assert found[f"{family.name}{family.sizes[0]}"] == "safe"
        if family.mistaken:
            assert found[f"{family.name}{family.mistaken}-mistake"] == "unsafe"


def test_only_the_families_that_are_asked_for_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = [Family(name, f"families/{name}.gcl", "mutex", (2,)) for name in ("ticket", "peterson")]
    monkeypatch.setattr(ase_rows, "GROWING", tuple(two))
    output = tmp_path / "out.json"
    assert _run("growth", "--rows", "peterson", "--tools", "ase", "--json", str(output)) == 0
    assert [entry["row"] for entry in json.loads(output.read_text())["measurements"]] == ["peterson2"]


def test_an_unknown_tool_is_an_error_that_lists_the_tools() -> None:
    with pytest.raises(PincerError, match="spacer"):
        _run("ase", "--tools", "blast")


def test_a_plot_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PincerError, match="plot"):
        _run("ase", "--rows", "ticket2", "--plot", "out.svg")
