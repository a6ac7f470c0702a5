"""The page about integration says what the hook, the action and the settings are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincer.cli.arguments import SETTINGS, project_settings
from pincer.cli.main import main
from tests.docs.chapters import blocks_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "integration.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return [block.text for block in blocks_of(PAGE) if block.language == language]


def table_after(heading: str) -> list[str]:
    """The first cells of the first table below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1]
    rows = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert rows is not None
    return re.findall(r"^\| `([\w-]+)`", rows[0], re.MULTILINE)


def test_the_table_of_settings_is_complete() -> None:
    assert table_after("Settings") == list(SETTINGS)


def settings_example() -> str:
    [example] = (text for text in blocks("toml") if "[tool.pincer]" in text)
    return example


def test_the_example_of_settings_is_accepted(tmp_path: Path) -> None:
    example = settings_example()
    assert tomllib.loads(example)
    (tmp_path / "pyproject.toml").write_text(example, encoding="utf-8")
    assert project_settings(tmp_path)["timeout"] == 60


def test_the_mistake_in_settings_is_told_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = settings_example()
    (tmp_path / "pyproject.toml").write_text(example.replace("timeout", "timeot").replace('models"]', 'models"]\n'))
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert capsys.readouterr().err in PAGE


def test_the_workflow_gives_the_action_inputs_it_has() -> None:
    action: Any = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    hook_example, workflow = (yaml.safe_load(text) for text in blocks("yaml"))
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook_example["repos"][0]["hooks"][0]["id"] == hook["id"]
    [own] = [step for step in workflow["jobs"]["check"]["steps"] if "pincer" in step["uses"]]
    assert own["with"].keys() <= action["inputs"].keys()
    assert table_after("GitHub") == list(action["inputs"])
