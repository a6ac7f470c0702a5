"""The pre-commit hook and the GitHub Action: they parse, and what they call is there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def test_the_hook_runs_a_command_that_exists_on_files_that_can_be_checked() -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {"id", "name", "entry", "language"} <= set(hook)
    words = hook["entry"].split()
    assert words[0] == "pincer"
    done = subprocess.run(
        [sys.executable, "-m", "pincer.cli", *words[1:], "examples/1-mutex.gcl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "HOLDS      examples/1-mutex.gcl: mutual_exclusion\n")
    assert all(re.search(hook["files"], name) for name in ("a.c", "b/c.i", "x.gcl"))
    assert not re.search(hook["files"], "notes.md")


def test_the_action_reads_only_inputs_it_declares(action: Any) -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    assert all(isinstance(item["default"], str) and item["description"] for item in action["inputs"].values())


def test_no_input_is_pasted_into_a_script(action: Any) -> None:
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert len(scripts) == 3
    assert not any("${{" in script for script in scripts)


def test_the_steps_check_and_conclude(action: Any, tmp_path: Path) -> None:
    """The scripts as the runner would execute them, one after the other."""
    steps = {step["name"]: step for step in action["runs"]["steps"]}
    command = tmp_path / "pincer" / "bin" / "pincer"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pincer.cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    output, log = tmp_path / "output", tmp_path / "a log.sarif"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(output),
        "PATHS": "examples/4-parity.gcl examples/1-mutex.gcl",
        "OPTIONS": action["inputs"]["options"]["default"],
        "SARIF_FILE": str(log),
    }

    def ran(name: str, **more: str) -> int:
        words = ["bash", "-eo", "pipefail", "-c", steps[name]["run"]]
        return subprocess.run(words, cwd=ROOT, env=environment | more, capture_output=True, timeout=60).returncode

    assert ran("Check") == 0
    assert output.read_text(encoding="utf-8") == "status=1\nlog=true\n"
    [run] = json.loads(log.read_text(encoding="utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["gcl/safety"]
    output.unlink()
    assert ran("Check", PATHS="no/such/folder.gcl --engine magic") == 0
    assert output.read_text(encoding="utf-8") == "status=2\n"
    assert not log.exists()
    assert [ran("Conclude", STATUS=status, UNDECIDED_FAILS="true") for status in "0123"] == [0, 1, 2, 3]
    assert [ran("Conclude", STATUS=status, UNDECIDED_FAILS="false") for status in "0123"] == [0, 1, 2, 0]
