"""The tool-info module, in the hands of BenchExec."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("benchexec", reason="BenchExec is not installed")

from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

import pincer
from pincer.integration.benchexec import Tool

MODULE = "pincer.integration.benchexec"
TASK = """\
format_version: "2.0"
input_files: "lock.c"
properties:
  - property_file: unreach.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with a `pincer` command."""
    script = tmp_path / "bin" / "pincer"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pincer.cli "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return tmp_path


def run_of(lines: list[str], status: int = 0) -> Any:
    code = ProcessExitCode.create(value=status)
    return BaseTool2.Run(["pincer"], code, BaseTool2.RunOutput([f"{line}\n" for line in lines]), None)


@pytest.mark.parametrize("verdict", ["true", "unknown", "false", "false(unreach-call)", "false(no-data-race)"])
def test_the_verdict_line_is_the_result(verdict: str) -> None:
    lines = ["HOLDS      a.c: x", "SV-COMP result: true", f"SV-COMP result: {verdict}"]
    assert Tool().determine_result(run_of(lines)) == verdict


@pytest.mark.parametrize("line", ["SV-COMP result: maybe", "x SV-COMP result: true", "true", ""])
def test_anything_else_is_an_error(line: str) -> None:
    assert Tool().determine_result(run_of([line], 3)) == "ERROR"
    assert Tool().determine_result(run_of([line], 2)) == "ERROR (wrong input)"


def test_the_call_names_property_and_data_model() -> None:
    task = BaseTool2.Task.with_files(["a.i"], property_file="u.prp", options={"language": "C", "data_model": "ILP32"})
    words = Tool().cmdline("pincer", ["--seed", "3"], task, BaseTool2.ResourceLimits())
    expected = "pincer check --svcomp --quiet --seed 3 --property u.prp --data-model ILP32 a.i"
    assert words == expected.split()


def test_benchexecs_own_test_finds_nothing_to_complain_about(installed: Path) -> None:
    (installed / "lock.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (installed / "unreach.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", encoding="utf-8")
    (installed / "task.yml").write_text(TASK, encoding="utf-8")
    words = ["-m", "benchexec.test_tool_info", MODULE, "--no-container", "--tool-directory", "."]
    done = subprocess.run(
        [sys.executable, *words, "--task-definition", "task.yml"],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    report = done.stdout + done.stderr
    assert done.returncode == 0, report
    assert f"“{pincer.__version__}”" in report
    assert "'--property', 'unreach.prp', '--data-model', 'ILP32', 'lock.c'" in report
    assert "WARNING" not in report
    assert "ERROR" not in report
