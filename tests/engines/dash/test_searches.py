"""Which states belong to a search: all of them, or those of the activations that one call has made."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.dash.goals import Graph
from pincer.engines.dash.regions import Abstraction
from pincer.engines.dash.searches import Search
from pincer.execution.machine import World
from pincer.execution.testing import Node
from pincer.execution.testing import Tester as Executor
from tests.engines.dash.dash_runs import loaded

TEXT = "int twice(int x) { return x + x; } int main(void) { int a = twice(1); int b = twice(a); return b; }"


def executed(folder: Path) -> list[Node]:
    made: list[Node] = []
    tester = Executor(World(loaded(folder, TEXT)), made.append)
    tester.run(tester.root(), 1_000)
    return made


def test_the_search_on_the_whole_program_takes_every_state(tmp_path: Path) -> None:
    search = Search(Abstraction(Graph({})))
    assert all(map(search.accepts, executed(tmp_path)))


def test_a_nested_search_takes_the_states_of_its_call_only(tmp_path: Path) -> None:
    made = executed(tmp_path)
    first, second = dict.fromkeys(node.frame for node in made if node.frame.procedure.name == "twice")
    search = Search(Abstraction(Graph({})), "twice", call=second.call, caller_node=second.call_node)
    assert {node.frame for node in made if search.accepts(node)} == {second}
    assert search.frames == {second} and first not in search.frames
