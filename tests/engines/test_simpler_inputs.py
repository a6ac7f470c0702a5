"""Of a command line, only what matters for the failure is left."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.simpler_inputs import simpler
from pincer.execution import testing
from pincer.execution.machine import World, chronological
from pincer.execution.testing import Node
from tests.frontends.c.lowered_c import lowered

TEXT = "int main(int argc, char **argv) { return argc > 1 && argv[1][1] == 'x'; }"


def last_node(folder: Path, text: str, **planned: int) -> Node:
    """The end of an execution whose inputs have these values by their sources, all others 65."""
    tester = testing.Tester(World(lowered(folder, text)))
    tester.world.default_input = lambda label, symbol: planned.get(label.source, 65)
    return tester.run(tester.root(), 1000)[0]


def test_arguments_and_characters_that_do_not_matter_are_left_out(tmp_path: Path) -> None:
    last = last_node(tmp_path, TEXT, argc=4)
    sources = {record.source: record.symbol for record in chronological(last.state.inputs)}
    needed = {sources["argc"]: 2, sources["argv[1][1]"]: 65}
    found = simpler(last, 10, lambda values: all(values[symbol] >= least for symbol, least in needed.items()))
    assert found is not None
    assert {source: found[symbol] for source, symbol in sources.items() if found[symbol]} == {
        "argc": 2,
        "argv[1][1]": 65,
    }


def test_long_executions_and_other_inputs_are_left_alone(tmp_path: Path) -> None:
    assert simpler(last_node(tmp_path, TEXT, argc=4), 1_000_000, lambda _: True) is None
    assert (
        simpler(last_node(tmp_path, "int main(void) { return __VERIFIER_nondet_int(); }"), 10, lambda _: True) is None
    )
