"""Programs whose paths are few and short enough to be followed to their ends: whoever has followed all of them knows
that every run ends, also where no rank says why."""

from __future__ import annotations

from pincer.engines.board import Board, Holds
from pincer.engines.paths.exploration import Exploration
from pincer.engines.portfolio import NOTHING, Allowance, Going
from pincer.engines.termination.limits import LIMITS
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.stepping import Stop
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run


class _AnyEnd(Board):
    """A run may end however it likes: nothing is violated by it."""

    def is_violation(self, stop: Stop) -> bool:
        return False


def all_paths(program: ControlFlowProgram, run: Run) -> Paths | None:
    """The paths of a program, if they could all be followed to their ends."""
    exploration = Exploration(_AnyEnd(program, "assertions", run))
    turn, spent = Allowance(LIMITS.path_steps, LIMITS.path_calls), NOTHING
    while exploration.exhaustive and spent.steps < turn.steps and spent.calls < turn.calls:
        match exploration.step(turn):
            case Holds(execution=Paths() as found):
                return found
            case Going(used):
                spent += used
            case _:
                return None
    return None
