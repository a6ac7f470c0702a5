"""Addresses of a program: slots that are large enough."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.c.lowered_c import lowered


def test_large_static_objects_get_larger_slots_in_32_bits(tmp_path: Path) -> None:
    small = lowered(tmp_path, "char a[100]; int main(void) { return a[1]; }", data_model="ILP32")
    large = lowered(tmp_path, "char a[100000]; int main(void) { return a[1]; }", data_model="ILP32")
    assert small.layout.slot_bits == 16
    assert large.layout.slot_bits > 17 and large.first_free < 1 << 31
