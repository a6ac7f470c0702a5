"""Names: C's own where MSVL can have them, with `$` appended where it cannot."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincer.frontends.msvl.lexer import TYPE_WORDS
from pincer.frontends.msvl.program import LIBRARY, RESULT

_STATEMENTS = "if then else while do repeat until function struct union frame local exists input output prj"
_TEMPORAL = "and or empty skip more len next always alw keep fin halt await"
_EXPRESSIONS = "extern sizeof true false AND OR NULL return"
RESERVED = frozenset(f"{_STATEMENTS} {_TEMPORAL} {_EXPRESSIONS}".split()) | {RESULT, *TYPE_WORDS, *LIBRARY}


@dataclass
class TranslatedNames:
    """The names that one scope of the translated program has given away, and those of the scope around it."""

    outer: TranslatedNames | None = None
    taken: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        return name in RESERVED or name in self.taken or (self.outer is not None and self.outer.has(name))

    def claim(self, wanted: str) -> str:
        """The name itself, or with as many `$` as it takes to be no other's."""
        while self.has(wanted):
            wanted += "$"
        self.taken.add(wanted)
        return wanted

    def claim_hiding(self, wanted: str, forbidden: set[str]) -> str:
        """As `claim`, but the name may hide one of the scope around it that is not forbidden."""
        while wanted in RESERVED or wanted in self.taken or wanted in forbidden:
            wanted += "$"
        self.taken.add(wanted)
        return wanted
