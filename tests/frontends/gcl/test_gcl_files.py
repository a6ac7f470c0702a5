"""Reading files: whatever is on disk, the answer is a program or a clear message."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import load


def failure(path: Path) -> PincerError:
    with pytest.raises(PincerError) as caught:
        load(path)
    return caught.value


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


def test_missing_file(tmp_path: Path) -> None:
    assert "there is no such file" in failure(tmp_path / "absent.gcl").message


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in failure(tmp_path).message


def test_a_name_no_file_can_have() -> None:
    assert "cannot be read" in failure(Path("a\0b")).message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is readable to root")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.gcl"
    path.write_text("var x : int;")
    path.chmod(0)
    assert "cannot be read" in failure(path).message


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.gcl"
    path.write_bytes(b"")
    assert "the file is empty" in failure(path).message


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.gcl"
    path.write_bytes(b"var x : int;\n// caf\xe9\n")
    caught = failure(path)
    assert "not a text file in UTF-8" in caught.message
    assert str(caught.position) == f"{path}:2:7"


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "binary.gcl"
    path.write_bytes(b"var x\n\0\0 : int;")
    caught = failure(path)
    assert "NUL" in caught.message
    assert str(caught.position) == f"{path}:2:1"
