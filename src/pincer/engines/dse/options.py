"""What a check by dynamic symbolic execution can be told."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from pincer.execution.msvl import Options
from pincer.execution.trees import SearchBounds


class DseLimits(Struct, frozen=True):
    """How much one check may cost; beyond it the property is undecided, with the reason."""

    formula_nodes: int = 5_000
    """Nodes of the graph of a formula: one is walked for every path, so it may be less than for a formula alone."""
    lasso_words: int = 256
    """Infinite words that one lasso may stand for: each is judged by itself."""
    solver_work: int = 50_000_000
    """As Z3 counts it, about ten seconds. What takes a solver longer on linear arithmetic it seldom decides at all."""


LIMITS = DseLimits()


class ShortExploration(Struct, frozen=True):
    """How far a program is explored before other ways to decide are tried: the most of what ends at all ends here."""

    states: int = 200
    runs: int = 16

    def of(self, options: CheckOptions) -> CheckOptions:
        """The options for that."""
        states = min(self.states, options.execution.max_states)
        execution = replace(options.execution, max_states=states)
        return replace(options, execution=execution, bounds=replace(options.bounds, max_runs=self.runs), jobs=1)


SHORTLY = ShortExploration()


class CheckOptions(Struct, frozen=True):
    """`inputs` are those of the first run, what they leave open is drawn with the seed of `execution`.

    `restarts` begins again that often with another seed while the exploration is not exhaustive. With `jobs` above one
    worker processes look for other ways. `paper_verdicts` never concludes that a property holds, as the paper.
    """

    execution: Options = field(default_factory=Options)
    bounds: SearchBounds = field(default_factory=SearchBounds)
    inputs: Mapping[str, int] = {}
    share_terminal: bool = True
    solver_work: int = LIMITS.solver_work
    restarts: int = 0
    jobs: int = 1
    paper_verdicts: bool = False
