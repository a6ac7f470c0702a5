"""Values of one type made into another."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.lowering.conversions import addresses_are_numbers
from tests.frontends.c.lowered_c import lowered


def test_addresses_as_numbers_are_assumed(tmp_path: Path) -> None:
    cast = "int x; int main(void) { return (unsigned long)&x % 4; }"
    compared = "int x; int main(void) { int *p = &x; return p == 0; }"
    assert addresses_are_numbers(32) in lowered(tmp_path, cast).assumptions
    assert not lowered(tmp_path, compared).assumptions
