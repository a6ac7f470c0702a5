"""The system's C compiler is found, and asked what it can build."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c import compiler


def test_the_compiler_named_by_cc_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "sh -x")
    assert compiler.find_compiler() == ("sh", "-x")
    monkeypatch.setenv("CC", "no-such-compiler-anywhere")
    assert compiler.find_compiler() != ("no-such-compiler-anywhere",)


def test_flags_are_known_or_not() -> None:
    found = compiler.find_compiler()
    if found is None:
        pytest.skip("no C compiler")
    assert compiler.understands(found, "-O0")
    assert not compiler.understands(found, "-fno-such-flag-of-any-compiler")


def test_what_a_compiler_knows_need_not_be_there(tmp_path: Path) -> None:
    """A flag that is understood may still need what only a link shows."""
    script = tmp_path / "cc"
    script.write_text('#!/bin/sh\ncase "$*" in *-E*) exit 0;; *) exit 1;; esac\n', encoding="utf-8")
    script.chmod(0o755)
    assert compiler.understands((str(script),), "-m32")
    assert not compiler.can_build((str(script),), ("-m32",))
