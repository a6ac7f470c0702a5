"""What proofs say about the lines of a program: invariants, and the lines that they cover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pincer.report.terminal import escape


class Proofs(Struct, frozen=True):
    """By line (from 0): what is known where control passes there, and which properties are proved about it."""

    invariants: dict[int, list[str]] = {}
    covered: dict[int, list[str]] = {}

    def told(self, line: int) -> list[str]:
        """What a reader of a line is told."""
        facts = [f"always here: {text}" for text in self.invariants.get(line, ())]
        names = self.covered.get(line, ())
        return [*facts, *([f"proved for all inputs: {', '.join(names)}"] if names else [])]


def proofs_of(data: Mapping[str, Any]) -> Proofs:
    """What the data of a report say about the first file of a program."""
    proofs = Proofs()
    for found in data["files"][0]["properties"]:
        if found["verdict"] != "safe":
            continue
        for one in found.get("invariants", ()):
            if one.get("line"):
                known = proofs.invariants.setdefault(one["line"] - 1, [])
                known += [text for text in [escape(one["text"])] if text not in known]
        for line in found.get("coverage", {}).get("proof", ()):
            proofs.covered.setdefault(line - 1, []).append(escape(found["name"]))
    return proofs
