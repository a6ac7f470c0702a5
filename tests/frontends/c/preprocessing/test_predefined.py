"""Macros that are there before the first line."""

from __future__ import annotations

from typing import Literal

import pytest

from pincer.frontends.c.preprocessing.preprocess import preprocess
from tests.frontends.c.preprocessing.preprocessed import FILE, words


@pytest.mark.parametrize("bits, size, long_max", [(64, "8", "0x7fffffffffffffffL"), (32, "4", "0x7fffffffL")])
def test_predefined_macros_follow_the_data_model(bits: Literal[32, 64], size: str, long_max: str) -> None:
    text = "int p = __SIZEOF_POINTER__; long m = __LONG_MAX__; int line = __LINE__;"
    assert words(preprocess(text, FILE, bits)) == f"int p = {size}; long m = {long_max}; int line = 1;"
