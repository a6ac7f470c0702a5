"""Locations are looked at so that paths meet: rounds inside of rounds, exits of loops behind them."""

from __future__ import annotations

from pathlib import Path

from pincer.evidence.c_proof.loop_order import LoopOrder, live_registers
from pincer.evidence.c_proof.term_data import Reader
from pincer.frontends.c.load import load
from pincer.program.control_flow import Procedure


def main_of(folder: Path, text: str) -> Procedure:
    file = folder / "program.c"
    file.write_text("extern int __VERIFIER_nondet_int(void);\n" + text)
    return load(file).procedures["main"]


NESTED = """
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++) { for (int k = 0; k < i; k++) { if (k == 2) break; n++; } n += 2; }
    return n;
}
"""


def test_heads_of_loops_are_those_of_the_program(tmp_path: Path) -> None:
    procedure = main_of(tmp_path, NESTED)
    order = LoopOrder(procedure)
    assert {head for around in order.heads.values() for head in around} == procedure.loop_heads
    assert max(map(len, order.heads.values())) == 2
    assert order.heads[procedure.entry] == order.heads[procedure.exit] == ()


def test_a_step_never_goes_back_except_to_the_head_in_the_next_round(tmp_path: Path) -> None:
    procedure = main_of(tmp_path, NESTED)
    order = LoopOrder(procedure)
    for edge in procedure.edges:
        rounds = tuple(range(4, 4 + len(order.heads[edge.source])))
        after = order.moved(edge.source, rounds, edge.target)
        assert order.key(edge.source, rounds) < order.key(edge.target, after)
        assert len(after) == len(order.heads[edge.target])


def test_entering_a_loop_begins_to_count_and_going_round_counts_on(tmp_path: Path) -> None:
    procedure = main_of(tmp_path, NESTED)
    order = LoopOrder(procedure)
    inner = next(place for place, around in order.heads.items() if len(around) == 2 and around[-1] == place)
    inside = [edge for edge in procedure.edges if edge.target == inner and inner in order.heads[edge.source]]
    outside = [edge for edge in procedure.edges if edge.target == inner and inner not in order.heads[edge.source]]
    assert inside and outside
    assert all(order.moved(edge.source, (5, 7), inner) == (5, 8) for edge in inside)
    assert all(order.moved(edge.source, (5,), inner) == (5, 0) for edge in outside)


def test_a_loop_with_two_entries_has_an_order_too(tmp_path: Path) -> None:
    procedure = main_of(
        tmp_path,
        """int main(void) { int i = 0; if (__VERIFIER_nondet_int()) goto in;
        while (i < 3) { i++; in: if (i == 2) break; } return i; }""",
    )
    order = LoopOrder(procedure)
    assert set(order.heads) == set(procedure.locations)


def test_registers_that_nobody_reads_any_more_are_not_live(tmp_path: Path) -> None:
    procedure = main_of(tmp_path, "int main(void) { int x = 1, y = __VERIFIER_nondet_int(); x = y + x; return y; }")
    live = live_registers(procedure, Reader())
    last = next(edge for edge in procedure.edges if edge.target == procedure.exit)
    assert "main::x" not in live[last.source] and "main::y" in live[last.source]
    assert procedure.entry not in live
    assert any("main::x" in names for names in live.values())
