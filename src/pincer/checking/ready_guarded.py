"""What a process is forked with that checks programs of guarded commands: the grammar is built, the checker's solver
loaded. Both take longer than a small program.
"""

from __future__ import annotations

from contextlib import suppress

from pincer.evidence.gcl import checker, replay
from pincer.frontends.gcl.parser import parse_formula_tree
from pincer.frontends.source import SourceText

with suppress(ImportError):
    import cvc5  # noqa: F401

READY = (checker, replay, parse_formula_tree(SourceText("<ready>", "true")))
