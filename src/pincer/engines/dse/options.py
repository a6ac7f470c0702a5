"""What a check by dynamic symbolic execution can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincer.execution.msvl import Options
from pincer.execution.trees import Bounds


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """`inputs` are those of the first run, what they leave open is drawn with the seed of `execution`.

    `restarts` begins again that often with another seed while the exploration is not exhaustive. With `jobs` above one
    worker processes look for other ways. `paper_verdicts` never concludes that a property holds, as the paper.
    """

    execution: Options = field(default_factory=Options)
    bounds: Bounds = field(default_factory=Bounds)
    inputs: Mapping[str, int] = field(default_factory=dict)
    share_terminal: bool = True
    solver_timeout_ms: int = 10_000
    restarts: int = 0
    jobs: int = 1
    paper_verdicts: bool = False
