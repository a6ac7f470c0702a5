"""The evaluator of the evidence and the execution that finds counterexamples share nothing but the states they see."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.execution.msvl import Options
from pincer.frontends.msvl import load, parse_program
from pincer.frontends.msvl.from_c import translation
from pincer.temporal.property import parse_properties
from tests.evidence.msvl.evidence_runs import claim, disagreement, program_files, shown, word
from tests.evidence.msvl.random_statements import RandomStatements
from tests.execution.msvl.random_msvl_programs import RandomPrograms, text
from tests.fuzz.msvl.generator import generate

HOWS = (
    Options(max_states=200),
    Options(max_states=200, same_state="reject", framing="strict"),
    Options(max_states=200, int32=True),
)


@pytest.mark.parametrize("file", program_files(), ids=lambda file: file.stem)
def test_programs_of_the_benchmarks_have_the_states_of_the_execution(file: Path) -> None:
    program = load(file)
    propositions = {
        one.name: one.text for asked in parse_properties(program.source.text, str(file)) for one in asked.defines
    }
    for options in HOWS:
        for seed in range(3):
            assert disagreement(program, replace(options, seed=seed), propositions) == ""


@pytest.mark.parametrize("options", HOWS, ids=("plain", "logic", "int32"))
@pytest.mark.parametrize("start", range(0, 60, 20))
def test_random_programs_have_the_states_of_the_execution(start: int, options: Options) -> None:
    for seed in range(start, start + 20):
        made = RandomPrograms(seed, ("x", "y", "z"))
        one, other = text(made.statement(3)), text(made.statement(2))
        written = f"frame(x,y,z) and (int x<==1 and int y<==2 and int z<==3 and skip; ({one} || {other}); {other})"
        program = parse_program(written, "t.m")
        assert disagreement(program, options, {"p": "x<y", "q": "x+y=z OR z/x=1"}) == "", (seed, written)


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_programs_with_all_kinds_of_statements_have_the_states_of_the_execution(start: int) -> None:
    for seed in range(start, start + 15):
        program = parse_program(RandomStatements(seed).program(), "t.m")
        for options in HOWS:
            asked = replace(options, seed=seed, max_states=40)
            propositions = {"less": "x<y", "same": "*p=x", "both": "a[z]=t.u AND p=&x"}
            assert disagreement(program, asked, propositions) == "", (seed, program.source.text)


@pytest.mark.parametrize("seed", range(500, 506))
def test_translated_c_programs_have_the_states_of_the_execution(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(generate(seed, 5).text, encoding="utf-8")
    made = translation(source)
    program = parse_program(made.text, "p.m")
    assert disagreement(program, Options(int32=made.int32, max_states=500)) == ""


POINTED = "frame(x,p) and (int x<==1 and int *p and skip; p:=&x; *p:=3; skip)"


def test_propositions_follow_pointers() -> None:
    found = word(POINTED, claim(propositions={"here": "p=&x", "one": "*p=1", "three": "*p=3"}))
    assert [state.holds for state in found.states] == [(), (), ("here", "one"), ("here", "three"), ("here", "three")]
    assert shown(found, "p") == "NIL NIL &x &x &x"


def test_the_variables_of_a_running_function_are_seen_after_the_global_ones() -> None:
    text_ = "function f(int a){ frame(x) and (int x<==a and skip; skip) }; frame(y) and (int y<==1 and skip; f(7))"
    found = word(text_, claim(propositions={"own": "x=7", "global": "y=1"}))
    assert [state.holds for state in found.states] == [("global",), *[("global", "own")] * 3]


def test_a_program_that_comes_back_is_a_lasso() -> None:
    found = word("frame(x) and (int x<==0 and skip; while(true){ x:=1-x })")
    assert (shown(found, "x"), found.lasso_start) == ("0 0 1 0", 2)
    calling = word("function f(){ frame(l) and (int l<==1 and skip; l:=2) }; while(true){ f() }")
    assert calling.lasso_start is not None


def test_what_is_not_recorded_is_not_guessed() -> None:
    reading = "frame(x) and (int x and skip; input(x) and skip; skip)"
    assert word(reading).reason == "the program reads the input s_x, which is not recorded"
    assert shown(word(reading, claim({"s_x": 4})), "x") == "NIL 4 4 4"
    with pytest.raises(PincerError, match="does not allow"):
        word("frame(c) and (char c and input(c) and skip)", claim({"s_c": 300}))


def test_no_more_states_are_made_than_the_claim_needs() -> None:
    counting = "frame(x) and (int x<==0 and skip; while(true){ x:=x+1 })"
    assert len(word(counting).states) == 400
    two = replace(claim(), kind="prefix", states=word(counting).states[:2])
    assert len(word(counting, two).states) == 2


def test_a_proposition_does_not_call() -> None:
    with pytest.raises(PincerError, match="calls a function"):
        word("function f(int RValue){ RValue:=1 }; skip", claim(propositions={"p": "f()=1"}))
