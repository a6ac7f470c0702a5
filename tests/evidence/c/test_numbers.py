"""Floating-point inputs are read as numbers, and delivered as bits."""

from __future__ import annotations

import random
import struct

from pincer.evidence.c.numbers import input_function, number_text


def test_texts_are_read_back_as_the_same_number() -> None:
    rng = random.Random(1)
    for width, code in ((32, "f"), (64, "d")):
        for _ in range(300):
            pattern = rng.getrandbits(width)
            number = float(number_text(pattern, width))
            assert number != number or struct.pack(f"<{code}", number) == pattern.to_bytes(width // 8, "little")


def test_texts_are_short() -> None:
    assert number_text(0x3DCCCCCD, 32) == "0.1"
    assert number_text(0x80000000, 32) == "-0.0"
    assert number_text(0xFFF0000000000000, 64) == "-inf"
    assert number_text(0x7FC00000, 32) == "nan"


def test_bits_are_not_converted() -> None:
    assert "union" in input_function("__VERIFIER_nondet_float", "float", "take")
    assert "(int)take" in input_function("f", "int", "take")


def test_wide_integers_are_taken_in_two_words() -> None:
    text = input_function("f", "__int128", "take")
    assert text.count('take("f")') == 2 and "high << 64 | low" in text
