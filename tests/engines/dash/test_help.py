"""Help with loops: it is asked for after some splits, more and more seldom, with what tests have shown."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.errors import error_groups
from pincer.engines.dash.goals import whole_program
from pincer.engines.dash.help import SearchHelper
from pincer.engines.dash.limits import LIMITS
from pincer.engines.dash.regions import Abstraction
from pincer.engines.dash.searches import Search
from tests.engines.dash.dash_runs import board_of, loaded

LOOP = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i < n) i++;
    assert(i == n);
}"""


def test_requests_become_rarer_and_carry_states_of_random_tests(tmp_path: Path) -> None:
    program = loaded(tmp_path, LOOP)
    board = board_of(program)
    dash = Dash(program, board)
    usual = dash.forest.world.default_input
    helper = SearchHelper(dash, {})
    [group] = error_groups(program, "assertions")
    search = Search(Abstraction(whole_program(program, "assertions", group.errors)))
    main = program.procedures["main"]
    [head] = main.loop_heads
    asked = []
    for count in range(1, 65):
        before = board.requests
        helper.loop_is_split(search, main, head)
        if board.requests > before:
            asked.append(count)
    assert asked and asked[0] >= LIMITS.splits_of_loops
    assert all(later == 2 * earlier for earlier, later in pairwise(asked))
    assert dash.forest.world.default_input is usual
    sight = board.stuck["main"].sight
    assert sight.procedure is main and len({str(node.state.registers) for node in sight.nodes[head]}) > 1
