"""The reference of the Python interface: everything it names is there, and everything public is named."""

from __future__ import annotations

import importlib
import re
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import pincer
from pincer.evidence.violating_run import RunStep, ViolatingRun

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`(pincer(?:\.\w+)+)", PAGE)) - {"pincer.toml"})


def resolved(name: str) -> Any:
    """The module or the member of a module that a dotted name means."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, member = name.rpartition(".")
        return getattr(resolved(module), member)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_on_the_page_exists_and_has_a_docstring(name: str) -> None:
    assert resolved(name).__doc__


def test_everything_public_is_on_the_page() -> None:
    public = {f"pincer.{name}" for name in pincer.__all__} - {"pincer.__version__", "pincer.UnsupportedError"}
    assert public <= set(NAMES)


@pytest.mark.parametrize(
    "type_", [pincer.Result, pincer.Answer, pincer.Progress, pincer.Drawing, ViolatingRun, RunStep]
)
def test_every_member_of_a_result_is_on_the_page(type_: Any) -> None:
    assert [name for name in signature(type_).parameters if f"`{name}`" not in PAGE] == []


def test_every_option_is_on_the_page() -> None:
    assert [name for name in pincer.Options.__annotations__ if f"`{name}`" not in PAGE] == []
