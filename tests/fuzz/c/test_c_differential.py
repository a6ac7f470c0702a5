"""Random C programs in every test run: fixed seeds, our semantics against the system compiler.

`make fuzz-c CASES=2000` runs more of the same, and csmith's programs and verdicts besides.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from . import compiler, language_idioms, numbers, uninitialised
from .checksum import compare
from .generator import PROLOGUE, generate
from .reduction import reduced
from .verdicts import enumerated, program

CHUNK = 6
needs_compiler = pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")


def test_a_seed_determines_its_program() -> None:
    assert [generate(seed) for seed in range(20)] == [generate(seed) for seed in range(20)]
    assert len({generate(seed).split("*/", 1)[1] for seed in range(20)}) == 20


def test_a_program_has_some_fifty_to_three_hundred_lines() -> None:
    lengths = sorted(generate(seed).count("\n") for seed in range(60))
    assert lengths[3] >= 50
    assert lengths[-4] <= 320


@needs_compiler
@pytest.mark.parametrize("seed", [3, 1003])
def test_generated_programs_have_no_undefined_behaviour(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(generate(seed), encoding="utf-8")
    compiler.require_defined(source)


@needs_compiler
@pytest.mark.parametrize("first", range(0, 36, CHUNK))
def test_the_interpreter_computes_the_checksums_that_gcc_computes(first: int) -> None:
    results = {seed: compare(generate(seed, size=4), "own", max_steps=500_000) for seed in range(first, first + CHUNK)}
    assert {seed: result for seed, result in results.items() if result.outcome != "identical"} == {}


@needs_compiler
@pytest.mark.parametrize("number", range(len(language_idioms.FRAGMENTS)))
def test_parts_of_the_language_are_computed_as_gcc_computes_them(number: int) -> None:
    for seed in range(2):
        top, ending = language_idioms.FRAGMENTS[number](Random(seed))
        shown = 'printf("%u", checksum); return 0;'
        text = f"{PROLOGUE}{top}int main(void) {{\n{ending}\n{shown} }}\n"
        assert compare(text, "own", max_steps=500_000).outcome == "identical"


@needs_compiler
def test_the_interpreter_computes_the_numbers_that_gcc_computes() -> None:
    results = {seed: compare(numbers.generate(seed, size=3), "numbers", max_steps=500_000) for seed in range(CHUNK)}
    assert {seed: result for seed, result in results.items() if result.outcome != "identical"} == {}


@needs_compiler
@pytest.mark.skipif(not compiler.builds_for_32_bits(), reason="gcc cannot link 32-bit programs here")
def test_the_interpreter_computes_the_checksums_of_32_bit_code() -> None:
    results = {
        seed: compare(generate(seed, size=4, long_bits=32), "own", max_steps=500_000, data_model="ILP32")
        for seed in range(CHUNK)
    }
    assert {seed: result for seed, result in results.items() if result.outcome != "identical"} == {}


@needs_compiler
def test_a_wrong_checksum_is_seen() -> None:
    text = generate(1, size=3).replace("checksum * 31u", "checksum * (sizeof(checksum) == 4 ? 31u : 33u)")
    printed = text.replace('printf("%u\\n", checksum)', 'printf("%u\\n", checksum + 1)')
    assert compare(text, "own", max_steps=500_000).outcome == "identical"
    assert compare(printed, "own", max_steps=500_000).outcome == "different"


@needs_compiler
def test_programs_that_crash_when_compiled_are_discarded() -> None:
    text = "int main(void) { int *p = 0; *p = 1; return 0; }\n"
    assert compare(text, "own", max_steps=1000).outcome == "discarded"


@needs_compiler
@pytest.mark.parametrize(("claim", "verdict"), [("x != 9", "safe"), ("x < 7", "unsafe"), ("x >= 0", "safe")])
def test_the_enumeration_of_inputs_decides_assertions(claim: str, verdict: str) -> None:
    text = (
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
        f"int main(void) {{ int x = __VERIFIER_nondet_int() & 7; assert({claim}); return 0; }}\n"
    )
    assert enumerated(text, "assertions") == verdict


@needs_compiler
@pytest.mark.parametrize(("bound", "verdict"), [("4", "safe"), ("5", "unsafe")])
def test_the_enumeration_of_inputs_decides_memory_safety(bound: str, verdict: str) -> None:
    text = (
        "extern int __VERIFIER_nondet_int(void);\nint cells[4];\n"
        f"int main(void) {{ int k = __VERIFIER_nondet_int() & 7; if (k < {bound}) cells[k] = 1; return 0; }}\n"
    )
    assert enumerated(text, "memory") == verdict


@needs_compiler
def test_random_verdict_programs_are_of_both_kinds() -> None:
    verdicts = [enumerated(program(seed, kind), kind) for seed in range(5) for kind in ("assertions", "memory")]
    assert {"safe", "unsafe"} == set(verdicts)


def test_reduction_keeps_what_makes_a_program_fail() -> None:
    lines = [f"x{k} = {k};" for k in range(40)]
    lines[17:17] = ["if (x3) {", "    culprit = (1 + (2 * 3));", "    y = 2;", "}"]
    small = reduced("\n".join(lines), lambda text: "culprit" in text, seconds=60)
    assert re.search(r"^\s*culprit = ", small, re.MULTILINE)
    assert len(small.splitlines()) < 5


@pytest.mark.skipif(not uninitialised.available(), reason="valgrind is not installed: nothing to compare with")
def test_uninitialised_values_decide_where_memcheck_says_so() -> None:
    assert uninitialised.compare(range(20)) == []


def test_a_function_depends_on_its_seed_alone() -> None:
    assert uninitialised.function(7, "f") == uninitialised.function(7, "f") != uninitialised.function(8, "f")
