"""Random C programs in every test run: fixed seeds, translated and interpreted, against the compiled originals.

`python -m tests.fuzz.msvl.run --cases 600` runs more of the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..c import compiler
from .compare import Tally, compare
from .generator import Generated, generate

needs_compiler = pytest.mark.skipif(not compiler.available(), reason="gcc is not installed: nothing to compare with")


@needs_compiler
def test_translated_programs_end_with_the_values_of_the_compiled_ones() -> None:
    tally = Tally()
    for seed in range(500, 508):
        tally.add(f"seed {seed}", compare(generate(seed, 6)))
    assert tally.different == []
    assert tally.outcomes["identical"] >= 7


class _Lying(Generated):
    """A program that reports one of its values wrongly when it is compiled."""

    def printing(self) -> str:
        return super().printing().replace("(unsigned long long)(gi)", "(unsigned long long)(gi + 1)")


@needs_compiler
def test_a_wrong_value_would_be_noticed() -> None:
    program = generate(500, 3)
    found = compare(_Lying(program.text, program.checked))
    assert found.outcome == "different"
    assert found.detail.startswith("gi is ")


@needs_compiler
def test_generated_programs_have_no_undefined_behaviour(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(generate(501).printing(), encoding="utf-8")
    compiler.require_defined(source)


def test_a_seed_determines_its_program() -> None:
    assert [generate(seed) for seed in range(20)] == [generate(seed) for seed in range(20)]
    assert len({generate(seed).text for seed in range(20)}) == 20


def test_generated_programs_use_what_they_are_to_test() -> None:
    texts = "".join(generate(seed).text for seed in range(40))
    for construct in ("switch", "break;", "continue;", "return;", "do {", "while (", "for (", "struct s *", "default:"):
        assert construct in texts, construct
