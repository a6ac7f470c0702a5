"""Facts about a program with its calls put in place, read back as facts about the program as it is written."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.proof import cut_point_proof
from pincer.engines.inlining import inlined
from pincer.logic import terms
from pincer.logic.bitvectors import compare, constant
from pincer.program.control_flow import Call
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

TEXT = """
unsigned count(unsigned most, unsigned from) { while (from < most) from++; return from; }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); return count(n, 3) > 9; }"""


def test_facts_in_a_body_belong_to_the_call_and_tell_what_was_passed(tmp_path: Path) -> None:
    program = loaded(tmp_path, TEXT)
    flat = inlined(program)
    assert flat is not None
    [head] = flat.program.procedures["main"].loop_heads
    [body] = flat.instances["main"].inside.values()
    most, counted = program.procedures["count"].parameters
    moved = body.registers[counted]
    [point] = cut_point_proof({head: [compare("bvule", moved, register("main::n"))]}, "main", flat).points
    [index] = [i for i, edge in enumerate(program.procedures["main"].edges) if isinstance(edge.label, Call)]
    assert point.calls == (("main", index),)
    assert point.location in program.procedures["count"].loop_heads
    assert compare("bvule", counted, register("main::n")) in point.facts
    assert terms.equal(most, register("main::n")) in point.facts


def test_places_of_a_program_without_calls_are_its_own() -> None:
    fact = compare("bvule", register("main::i"), constant(9, 32))
    [point] = cut_point_proof({4: [fact]}, "main", None).points
    assert (point.calls, point.location, point.facts) == ((), 4, (fact,))
