"""Files and formulas, from the outside."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import load, parse_formula
from tests.frontends.gcl.gcl_samples import PROGRAM, failure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a[2] = 1", "index out of range"),
        ("pc[1] = nowhere", "unknown name"),
        ("crit < 2", "wrong type"),
        ("other = wait", "wrong type"),
        ("deadlock", "only be used in a safety property"),
        ("x = 1;", "unexpected `;`"),
        ("", "expected an expression"),
        ("x", "where a Boolean is needed"),
    ],
)
def test_wrong_formulas_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        parse_formula(text, PROGRAM)
    assert caught.value.position is not None
    assert caught.value.excerpt == text


def test_hash_is_of_the_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "counter.gcl"
    data = "\ufeffvar x : int = 0; // é\r\n".encode()
    path.write_bytes(data)
    program = load(path)
    assert program.sha256 == hashlib.sha256(data).hexdigest()
    assert (program.name, program.file) == ("counter", str(path))
    assert str(program.variables[0].position) == f"{path}:1:5"


def test_defines_reach_the_program(tmp_path: Path) -> None:
    path = tmp_path / "p.gcl"
    path.write_text("const N = 1; var a[1..N] : int;")
    assert len(load(path, {"N": 4}).variables) == 4


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.gcl"
    path.write_bytes(b"")
    assert "the file is empty" in failure(path).message
