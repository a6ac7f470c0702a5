"""Preprocessed text without its lines, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

FILE = Path("program.c")


def words(text: str) -> str:
    """The text without line directives and spacing."""
    return " ".join(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
