"""Every floating-point operation against compiled code, on random patterns and on those where mistakes live."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from pincer.logic import machine_floats
from pincer.logic.machine_floats import FORMATS, Rounding
from tests.logic.random_numbers import interesting

needs_compiler = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

_TYPES = {32: ("float", "f"), 64: ("double", ""), 80: ("long double", "l")}
_INTEGERS = {32: "int", 64: "long long"}
_MODES = {
    Rounding.TO_EVEN: "rint",
    Rounding.AWAY_FROM_ZERO: "round",
    Rounding.UP: "ceil",
    Rounding.DOWN: "floor",
    Rounding.TO_ZERO: "trunc",
}
_BINARY = {"fpadd": "+", "fpsub": "-", "fpmul": "*", "fpdiv": "/"}


def _source() -> str:
    lines = ["#include <math.h>"]
    for bits, (type, suffix) in _TYPES.items():
        for name, sign in _BINARY.items():
            lines.append(f"void {name}{bits}({type} *r, {type} *a, {type} *b) {{ *r = *a {sign} *b; }}")
        lines.append(f"void fpsqrt{bits}({type} *r, {type} *a) {{ *r = sqrt{suffix}(*a); }}")
        lines.append(
            f"void fpfma{bits}({type} *r, {type} *a, {type} *b, {type} *c) {{ *r = fma{suffix}(*a, *b, *c); }}"
        )
        for name, sign in (("fplt", "<"), ("fple", "<="), ("fpeq", "==")):
            lines.append(f"int {name}{bits}({type} *a, {type} *b) {{ return *a {sign} *b; }}")
        for mode, name in _MODES.items():
            lines.append(f"void {mode.value}{bits}({type} *r, {type} *a) {{ *r = {name}{suffix}(*a); }}")
        for other, (wanted, _) in _TYPES.items():
            lines.append(f"void to{other}from{bits}({wanted} *r, {type} *a) {{ *r = *a; }}")
        for size, integer in _INTEGERS.items():
            for sign in ("", "unsigned "):
                tag = f"{'u' if sign else 's'}{size}"
                lines.append(f"void f{bits}from{tag}({type} *r, {sign}{integer} *a) {{ *r = *a; }}")
                lines.append(f"void {tag}from{bits}({sign}{integer} *r, {type} *a) {{ *r = *a; }}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("floats")
    (folder / "floats.c").write_text(_source())
    library = Path(folder / "floats.so")
    flags = ["-O0", "-ffp-contract=off", "-msse2", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", library, folder / "floats.c", "-lm"], check=True, timeout=60)
    return ctypes.CDLL(str(library))


def _called(function: Callable[..., int], bits: int, operands: list[tuple[int, int]]) -> int:
    """The result of so many bits, of operands given as patterns and their bits."""
    cells = [ctypes.create_string_buffer(pattern.to_bytes(16, "little"), 16) for pattern, _ in operands]
    result = ctypes.create_string_buffer(16)
    function(result, *cells)
    return int.from_bytes(result.raw, "little") & ((1 << bits) - 1)


@needs_compiler
@pytest.mark.parametrize("bits", FORMATS)
def test_arithmetic_is_that_of_the_processor(compiled: ctypes.CDLL, bits: int) -> None:
    generator = random.Random(bits)
    for _ in range(400):
        operands = [interesting(bits, generator) for _ in range(3)]
        for op, count in (*((name, 2) for name in _BINARY), ("fpsqrt", 1), ("fpfma", 3)):
            given = operands[:count]
            expected = _called(compiled[f"{op}{bits}"], bits, [(operand, bits) for operand in given])
            found = machine_floats.arithmetic(op, given, bits)
            if sum(machine_floats.is_nan(operand, bits) for operand in given) > 1 or op == "fpfma":
                assert found == expected or machine_floats.is_nan(found, bits) == machine_floats.is_nan(expected, bits)
            else:
                assert found == expected, (op, [hex(operand) for operand in given])


@needs_compiler
@pytest.mark.parametrize("bits", FORMATS)
def test_comparisons_and_roundings(compiled: ctypes.CDLL, bits: int) -> None:
    generator = random.Random(bits + 1)
    for _ in range(400):
        left = interesting(bits, generator)
        right = generator.choice((left, interesting(bits, generator)))
        cells = [ctypes.create_string_buffer(pattern.to_bytes(16, "little"), 16) for pattern in (left, right)]
        for op in ("fplt", "fple", "fpeq"):
            assert machine_floats.compared(op, left, right, bits) == compiled[f"{op}{bits}"](*cells)
        for mode in Rounding:
            expected = _called(compiled[f"{mode.value}{bits}"], bits, [(left, bits)])
            assert machine_floats.to_integral(mode, left, bits) == expected, (mode, hex(left))


@needs_compiler
@pytest.mark.parametrize("bits", FORMATS)
def test_conversions(compiled: ctypes.CDLL, bits: int) -> None:
    generator = random.Random(bits + 2)
    for _ in range(400):
        operand = interesting(bits, generator)
        for wanted in FORMATS:
            if wanted != bits:
                expected = _called(compiled[f"to{wanted}from{bits}"], wanted, [(operand, bits)])
                assert machine_floats.converted(operand, bits, wanted) == expected, (wanted, hex(operand))
        for size in _INTEGERS:
            integer = generator.getrandbits(generator.randrange(1, size + 1))
            signed = integer - (integer >> size - 1 << size)
            for tag, value in (("s", signed), ("u", integer)):
                expected = _called(compiled[f"f{bits}from{tag}{size}"], bits, [(integer, size)])
                assert machine_floats.from_integer(value, bits) == expected
            _check_to_integer(compiled, operand, bits, size)


def _check_to_integer(compiled: ctypes.CDLL, operand: int, bits: int, size: int) -> None:
    if machine_floats.is_nan(operand, bits) or machine_floats.is_infinite(operand, bits):
        return
    number, power = machine_floats.exact(operand, bits)
    value = int(Fraction(number) * Fraction(2) ** power)
    for tag, least in (("s", -(1 << size - 1)), ("u", 0)):
        if least <= value < least + (1 << size):
            expected = _called(compiled[f"{tag}{size}from{bits}"], size, [(operand, bits)])
            assert machine_floats.to_integer(operand, bits, size, tag == "s") == expected == value & ((1 << size) - 1)


def test_what_does_not_fit_an_integer_is_the_least_one() -> None:
    for operand in (FORMATS[64].infinity, FORMATS[64].default_nan, machine_floats.from_integer(1 << 40, 64)):
        assert machine_floats.to_integer(operand, 64, 32, True) == 1 << 31


def test_texts_are_short_and_exact() -> None:
    shown = {0.1: "0.1", 1.0: "1.0", 1e30: "1e+30", -0.0: "-0.0", 16777216.0: "16777216.0", 1.5e-10: "1.5e-10"}
    for value, text in shown.items():
        pattern = machine_floats.pattern_of(value, 32)
        assert machine_floats.decimal_text(pattern, 32) == text
        assert machine_floats.decimal_text(machine_floats.pattern_of(value, 64), 64) == repr(value)
    assert machine_floats.decimal_text(FORMATS[32].infinity, 32) == "inf"
    assert machine_floats.decimal_text(FORMATS[64].default_nan, 64) == "-nan"
    assert machine_floats.decimal_text(machine_floats.from_integer(3, 80), 80) == "3.0"
