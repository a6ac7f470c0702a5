"""Files of MSVL, from the outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.msvl import load, syntax


def test_files_are_loaded_and_bad_ones_refused(tmp_path: Path) -> None:
    good, binary = tmp_path / "good.m", tmp_path / "binary.m"
    good.write_text("skip", encoding="utf-8")
    binary.write_bytes(b"skip;\n \xff")
    assert load(good).core == syntax.Skip()
    with pytest.raises(PincerError, match=r"binary.m:2:2: .*UTF-8"):
        load(binary)
    with pytest.raises(PincerError, match="no such file"):
        load(tmp_path / "absent.m")
    with pytest.raises(PincerError, match="directory"):
        load(tmp_path)
