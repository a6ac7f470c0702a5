"""Equal programs have equal digests in every process, and a change of anything changes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.program.c_file import CFile
from pincer.program.digest import digest

TEXT = "int g = 4;\nint main(void) { int x = g + 1; while (x < 9) x++; return x; }\n"


def of_text(folder: Path, text: str) -> str:
    file = folder / "p.c"
    file.write_text(text, encoding="utf-8")
    return digest(load([CFile(str(file))]))


def test_the_same_text_has_the_same_digest(tmp_path: Path) -> None:
    assert of_text(tmp_path, TEXT) == of_text(tmp_path, TEXT)


@pytest.mark.parametrize(
    "other",
    [TEXT.replace("9", "8"), TEXT.replace("g = 4", "g = 5"), TEXT.replace("x++", "x--"), "\n" + TEXT],
    ids=["condition", "initial value", "step", "position"],
)
def test_a_change_shows(tmp_path: Path, other: str) -> None:
    assert of_text(tmp_path, TEXT) != of_text(tmp_path, other)


def test_a_comment_that_moves_nothing_does_not_show(tmp_path: Path) -> None:
    assert of_text(tmp_path, TEXT) == of_text(tmp_path, TEXT.rstrip("\n") + " // a remark\n")


def test_hash_seeds_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(TEXT, encoding="utf-8")
    code = (
        "from pincer.frontends.c.load import load\nfrom pincer.program.c_file import CFile\n"
        f"from pincer.program.digest import digest\nprint(digest(load([CFile({str(file)!r})]), {{'b', 'a', 'c'}}))"
    )
    shared = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={**shared, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_values_do_not_run_into_each_other() -> None:
    assert digest(("ab", "c")) != digest(("a", "bc"))
    assert digest((1, (2,))) != digest(((1, 2),))
    assert digest("1") != digest(1)
    x, y = bitvectors.variable("x", 8), bitvectors.variable("y", 8)
    assert digest((x, x)) != digest((x, y))
    assert digest(x) != digest(bitvectors.variable("x", 16))


def test_orders_of_sets_and_mappings_do_not_matter() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest(frozenset({3, 1, 2})) == digest(frozenset({2, 3, 1}))


def test_what_has_no_digest_is_refused() -> None:
    with pytest.raises(TypeError, match="no digest of a object"):
        digest(object())
