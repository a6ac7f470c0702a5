"""What comes out when a property is decided, while the program is still at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincer.checking.result import Result
from pincer.engines.task import Claim
from pincer.errors import Mistake


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one property, and what could not be written down; for readers the program as the engine saw it, and
    its claim with what it explored."""

    result: Result
    mistakes: tuple[Mistake, ...] = ()
    program: Any = None
    claim: Claim | None = None
