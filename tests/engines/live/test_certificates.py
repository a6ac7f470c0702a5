"""What peeling found, as an argument."""

from __future__ import annotations

from pincer.engines.live.certificates import arguments, node_edge
from pincer.engines.live.components import LiveEdge, RankStep, StrongStep, WeakLeaf
from pincer.engines.live.question import question
from pincer.evidence.live.certificate import Argument
from pincer.frontends.gcl import parse_program
from tests.evidence.live.live_samples import SEMAPHORE, fair, proved


def test_steps_of_peeling_are_written_with_names() -> None:
    program = parse_program(fair(SEMAPHORE, "fairness strong A; fairness weak B;"), "c.gcl")
    edge = LiveEdge(1, 0, 2)
    peeled = (StrongStep(3, 0, (RankStep(4, {4: "x"}, (edge,), (WeakLeaf(5, 1),)),)),)
    inner = Argument("rank", 4, "", {4: "x"}, (node_edge(edge),), (Argument("weak", 5, "B"),))
    assert arguments(question(program, program.temporal[0]), peeled) == (Argument("strong", 3, "A", children=(inner,)),)


def test_states_are_written_in_the_order_of_the_program() -> None:
    text = "var x : int = 7; var n : 0..3 = 1; trans stop: n > 0 -> n := n - 1; temporal t: <>{n = 0};"
    _, certificate = proved(text)
    assert certificate.states[0].values == (7, 1)
