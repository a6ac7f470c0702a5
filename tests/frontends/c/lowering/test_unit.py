"""Addresses of a program: slots that are large enough."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from tests.frontends.c.lowered_c import lowered


def test_large_static_objects_get_larger_slots_in_32_bits(tmp_path: Path) -> None:
    small = lowered(tmp_path, "char a[100]; int main(void) { return a[1]; }", data_model="ILP32")
    large = lowered(tmp_path, "char a[100000]; int main(void) { return a[1]; }", data_model="ILP32")
    assert small.layout.slot_bits == 16
    assert large.layout.slot_bits > 17 and large.first_free < 1 << 31


def test_equal_texts_share_an_object_and_different_ones_do_not(tmp_path: Path) -> None:
    text = 'char *a = "x", *b = "x", *c = "xy"; int main(void) { return *a + *b + *c; }'
    objects = [one for one in lowered(tmp_path, text).objects if one.name.startswith('"')]
    assert sorted(one.name for one in objects) == ['"x"', '"xy"']
    assert all(one.read_only for one in objects)


def test_read_only_objects_come_before_all_that_may_be_written(tmp_path: Path) -> None:
    text = """const int k[2] = {1, 2}; int w[2]; char *s = "t";
    int main(void) { int *p = w; const int *q = k; return *p + *q + *s; }"""
    program = lowered(tmp_path, text)
    fixed = [one.address for one in program.objects if one.read_only]
    written = [one.address for one in program.objects if not one.read_only]
    assert len(fixed) == 2 and written
    assert max(fixed) < min(written)
    assert max(written) < program.first_free


def test_objects_do_not_overlap(tmp_path: Path) -> None:
    names = [f"a{number}" for number in range(20)]
    declared = "".join(f"char {name}[{number + 1}];" for number, name in enumerate(names))
    used = " + ".join(f"*(p = {name})" for name in names)
    program = lowered(tmp_path, f"{declared} int main(void) {{ char *p; return {used}; }}")
    places = sorted((one.address, one.size) for one in program.objects)
    assert len(places) == 20
    assert all(address + size <= after for (address, size), (after, _) in pairwise(places))
