"""Macros that are there before the first line."""

from __future__ import annotations

import shutil
import subprocess
from typing import Literal

import pytest

from pincer.frontends.c.preprocessing.predefined import has_feature, predefined
from pincer.frontends.c.preprocessing.preprocess import preprocess
from tests.frontends.c.preprocessing.preprocessed import FILE, words


@pytest.mark.parametrize("bits, size, long_max", [(64, "8", "0x7fffffffffffffffL"), (32, "4", "0x7fffffffL")])
def test_predefined_macros_follow_the_data_model(bits: Literal[32, 64], size: str, long_max: str) -> None:
    text = "int p = __SIZEOF_POINTER__; long m = __LONG_MAX__; int line = __LINE__;"
    assert words(preprocess(text, FILE, bits)) == f"int p = {size}; long m = {long_max}; int line = 1;"


@pytest.mark.parametrize("bits", [32, 64])
def test_sizes_limits_and_types_are_those_of_gcc(bits: Literal[32, 64]) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs a C compiler")
    command = ["gcc", f"-m{bits}", "-dM", "-E", "-x", "c", "/dev/null"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    real = {name: value for _, name, value in (line.split(" ", 2) for line in lines if line.count(" ") > 1)}
    ours = {
        name: value
        for name, value in predefined(bits).items()
        if (name in real and name.endswith(("_WIDTH__", "_TYPE__", "_MAX__", "_C(c)"))) or name.startswith("__SIZEOF")
    }
    # In 32 bits our wchar_t is an int, that of gcc a long of the same size; constants of double lack a cast.
    for name in ("__WCHAR_TYPE__", "__WCHAR_MAX__", "__DBL_MAX__"):
        ours.pop(name, None)
    assert len(ours) > 80
    assert ours == {name: real[name] for name in ours}


def test_what_is_not_known_of_compilers_is_not_said() -> None:
    assert has_feature("__has_attribute", "__packed__") is has_feature("__has_builtin", "__builtin_memcpy") is True
    assert has_feature("__has_attribute", "novelty") is None
    assert has_feature("__has_builtin", "memcpy") is None
