"""The system's C compiler is found, and asked what it can build."""

from __future__ import annotations

import pytest

from pincer.evidence.c import compiler


def test_the_compiler_named_by_cc_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "sh -x")
    assert compiler.find_compiler() == ("sh", "-x")
    monkeypatch.setenv("CC", "no-such-compiler-anywhere")
    assert compiler.find_compiler() != ("no-such-compiler-anywhere",)
