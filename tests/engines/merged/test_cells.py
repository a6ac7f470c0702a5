"""Positions that are kept in memory steer as long as they are read again."""

from __future__ import annotations

from pathlib import Path

from tests.engines.merged.executions import ended

CURSOR = """
    struct parser { int at; int seen; };
    int step(struct parser *p, const char *s) {
        char c = s[p->at];
        if (c == '\\\\') p->at++;
        if (c == '"') p->seen++;
        p->at++;
        return c;
    }
    int main(void) {
        char s[8]; struct parser p = {0, 0};
        for (int k = 0; k < 7; k++) s[k] = __VERIFIER_nondet_char();
        s[7] = 0;
        while (p.at < 7 && step(&p, s)) ;
        assert(p.seen <= 7 && p.at <= 8);
    }"""


def test_a_position_in_memory_steers_and_a_counter_beside_it_does_not(tmp_path: Path) -> None:
    execution = ended(tmp_path, CURSOR)
    assert {offset for _, offset in execution.cells.known} == {0}


def test_states_that_differ_in_it_are_kept_apart(tmp_path: Path) -> None:
    """So that every byte is read where it is, and no solver is needed to see that nothing goes wrong."""
    assert ended(tmp_path, CURSOR).noting.goals == []


def test_where_nothing_is_read_through_it_any_more_nothing_steers(tmp_path: Path) -> None:
    execution = ended(tmp_path, CURSOR)
    procedure = execution.program.procedures["main"]
    assert execution.cells.read_from(procedure, procedure.entry)
    assert not execution.cells.read_from(procedure, procedure.exit)
