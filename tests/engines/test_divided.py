"""One question on two cores: what both sides learn is shared, the first answer counts, and nothing is lost."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

from pincer.engines.board import Answer, Board, Holds, NoAnswer
from pincer.engines.divided import HELPER, BoardLink, ExecutingProcess, LinkedRun, divided
from pincer.engines.portfolio import NOTHING, Allowance, Ended, Going, Portfolio, Share, Strategy
from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.execution.stepping import Stop
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import equal
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped

TEXT = """extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); return 0; }
"""
X = bitvectors.variable("x", 32)
SOME = Allowance(1, 1)
TABLE = (Share("regions", SOME, SOME), Share("merged", SOME, SOME), Share("invariants", SOME, SOME))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ControlFlowProgram:
    path = tmp_path_factory.mktemp("divided") / "p.c"
    path.write_text(TEXT, encoding="utf-8")
    return load(path)


class Does:
    """A strategy that does something in each turn."""

    def __init__(self, turn: Callable[[], Going | Ended | Answer]) -> None:
        self._turn = turn

    def step(self, budget: Allowance) -> Going | Ended | Answer:
        return self._turn()


def waiting() -> Going:
    return Going()


def portfolio_of(
    board: Board, here: Callable[[], object], there: Callable[[], object]
) -> tuple[Portfolio[Answer], ExecutingProcess]:
    assert isinstance(board.run, LinkedRun)
    process = ExecutingProcess(board, board.run, TABLE[1:])
    strategies: dict[str, Strategy[Answer]] = {
        "regions": Does(here),  # type: ignore[arg-type]
        "merged": Does(there),  # type: ignore[arg-type]
        HELPER: process,
    }
    process.strategies = strategies
    return Portfolio(divided(TABLE, TABLE[1]), strategies, board.run), process


def linked(program: ControlFlowProgram) -> Board:
    return Board(program, "assertions", LinkedRun(Run(timeout=60)))


def test_the_answer_of_the_process_counts(program: ControlFlowProgram) -> None:
    board = linked(program)
    portfolio, process = portfolio_of(board, waiting, lambda: Holds("merged"))
    assert process.decided(portfolio) == Holds("merged")
    assert process.account["merged"]["outcome"] == "decided the question"


def test_what_the_process_learns_reaches_the_board_and_back(program: ControlFlowProgram) -> None:
    board = linked(program)
    fact = equal(X, bitvectors.constant(3, 32))

    def here() -> Going | Holds:
        board.add_facts({7: [fact]}) if board.inputs else None
        return Going()

    def there() -> Going | NoAnswer:
        board.inputs.append({X: 3})
        return NoAnswer(Reason("told")) if board.facts.get(7) == (fact,) else Going()

    portfolio, process = portfolio_of(board, here, there)
    assert process.decided(portfolio) == NoAnswer(Reason("told"))
    assert board.inputs[0] == {X: 3}


def test_a_process_that_is_killed_gives_its_work_back(program: ControlFlowProgram) -> None:
    board, parent = linked(program), os.getpid()

    def there() -> Holds:
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return Holds("merged")

    portfolio, process = portfolio_of(board, waiting, there)
    assert process.decided(portfolio) == Holds("merged")
    assert portfolio.ended[HELPER] == "the process of those that execute ended without an answer"


def test_both_sides_without_an_answer_are_none(program: ControlFlowProgram) -> None:
    portfolio, process = portfolio_of(linked(program), lambda: Ended("a"), lambda: Ended("b"))
    assert process.decided(portfolio) is None
    assert process.account["merged"]["outcome"] == "b"


def test_news_are_told_once_and_edges_are_those_of_the_other_side(program: ControlFlowProgram) -> None:
    one, other = Board(program, "assertions", Run()), Board(program, "assertions", Run())
    pipe: deque[bytes] = deque()
    sender = BoardLink(one, pipe.append, lambda seconds: None)
    receiver = BoardLink(other, lambda data: pytest.fail("an echo"), lambda seconds: pipe.popleft() if pipe else None)
    edge = next(iter(program.edges()))
    one.inputs.append({X: 3})
    one.undefined[edge] = Stop("check", "invalid access", edge)
    one.unsupported[edge] = "fork"
    sender.tell()
    sender.tell()
    assert len(pipe) == 1
    assert receiver.hear() is None
    assert other.inputs == [{X: 3}] and other.unsupported == {edge: "fork"}
    assert other.undefined[edge].message == "invalid access"
    receiver.tell()


def test_the_table_of_those_that_stay_asks_after_every_turn() -> None:
    asked = Share(HELPER, NOTHING, NOTHING)
    assert divided(TABLE, TABLE[1]) == (TABLE[0], asked, TABLE[1], TABLE[2], asked)


BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "dash"


@pytest.mark.parametrize("name", ["loops/skip-continue.c", "procedures/even-odd.c", "loops/unsigned-difference.c"])
def test_two_cores_say_what_one_says(name: str) -> None:
    program = load(BENCHMARKS / name)
    verdicts = []
    for jobs in (1, 2):
        [claim] = check(EngineTask(program, ("assertions",), SequentialSettings(jobs=jobs)), Run(timeout=120))
        verdicts.append(claim.verdict)
    assert verdicts[0] == verdicts[1] != "unknown"


def test_a_violation_is_found_by_either_side(program: ControlFlowProgram) -> None:
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings(jobs=2)), Run(timeout=60))
    assert claim.verdict == "unsafe"


def test_the_run_of_a_divided_question_is_the_run_of_all() -> None:
    outer = Run(timeout=60)
    run = LinkedRun(outer)
    run.stop(Reason("enough"))
    assert outer.stop_reason == run.stop_reason == Reason("enough") and run.is_over()
    with pytest.raises(Stopped):
        run.poll()
