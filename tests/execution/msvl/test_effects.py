"""What statements may read and write at their first state, by the execution and by the evidence."""

from __future__ import annotations

import pytest

from pincer.evidence.msvl.ordering import Ordering
from pincer.execution.msvl.effects import Analysis
from pincer.execution.msvl.store import VariableStore
from pincer.frontends.msvl import parse_program, syntax
from tests.evidence.msvl.random_statements import RandomStatements


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_two_analyses_that_share_nothing_agree(start: int) -> None:
    for seed in range(start, start + 20):
        program = parse_program(RandomStatements(seed).program(), "t.m")
        analysis, ordering = Analysis(program), Ordering(program)
        for node in syntax.descendants(program.core):
            if type(node) in STATEMENTS:
                found, other = analysis.effects(VariableStore(), node), ordering.of(node)
                assert (found.reads, found.writes, found.ends) == (other.reads, other.writes, other.ends), node


STATEMENTS = (
    *(
        syntax.Immediate,
        syntax.Unit,
        syntax.Declaration,
        syntax.InputStatement,
        syntax.LengthStatement,
        syntax.HaltStatement,
        syntax.Evaluate,
    ),
    *(syntax.Bind, syntax.And, syntax.Or, syntax.Chop, syntax.Parallel, syntax.If, syntax.While, syntax.Projection),
    *(syntax.Local, syntax.Always, syntax.Keep, syntax.Fin, syntax.Next, syntax.Skip, syntax.Empty),
)


def test_pointers_overlap_with_variables_whose_address_is_taken() -> None:
    program = parse_program("int x,y and int *p and (p<==&x and y<==1 and skip)", "t.m")
    analysis = Analysis(program)
    read_x, read_y, write_pointed = (
        analysis.first(parse_program(f"int x,y and int *p and ({text})", "t.m").core)
        for text in ("x=1", "y=1", "*p<==1")
    )
    assert analysis.blocked(read_x, [write_pointed])
    assert not analysis.blocked(read_y._replace(reads=frozenset("y")), [write_pointed._replace(writes=frozenset("*"))])
