"""Random recursive functions over four bits, whether they end on all arguments, and brute force.

Functions have no effects, so a call is over when the same call is not under way inside of it: that is how it is decided
here, by interpretation of the tree that the text is printed from.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

from msgspec import Struct

from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c import execution
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.frontends.c.load import load
from pincer.program.passes.termination import with_termination
from pincer.runtime.run import Run

BITS = 15


class Value(Struct, frozen=True):
    """A number, a parameter (0 or 1), an operator with two operands, or a call of a function."""

    kind: str
    number: int = 0
    parts: tuple[Value, ...] = ()

    def text(self) -> str:
        match self.kind:
            case "number":
                return str(self.number)
            case "parameter":
                return "ab"[self.number]
            case "call":
                return f"f{self.number}({self.parts[0].text()}, {self.parts[1].text()})"
        return f"(({self.parts[0].text()} {self.kind} {self.parts[1].text()}) & {BITS})"


class Function(Struct, frozen=True):
    """`if (condition) return base; if (second) return one; return other;`"""

    condition: Value
    base: Value
    second: Value
    one: Value
    other: Value

    def text(self, number: int) -> str:
        return (
            f"unsigned char f{number}(unsigned char a, unsigned char b) {{\n  if ({self.condition.text()}) return "
            f"{self.base.text()};\n  if ({self.second.text()}) return {self.one.text()};\n"
            f"  return {self.other.text()};\n}}\n"
        )


def functions(seed: int) -> list[Function]:
    dice = random.Random(f"recursion {seed}")
    count = dice.randint(1, 2)

    def plain(depth: int) -> Value:
        if depth == 0 or dice.random() < 0.3:
            small = dice.random() < 0.35
            return Value("number", dice.randint(0, 3)) if small else Value("parameter", dice.randint(0, 1))
        return Value(dice.choice(["+", "-", "-", "&"]), 0, (plain(depth - 1), plain(0)))

    def calling(depth: int) -> Value:
        inner = calling(depth - 1) if depth and dice.random() < 0.25 else plain(1)
        found = Value("call", dice.randrange(count), (plain(1), inner) if dice.random() < 0.5 else (inner, plain(1)))
        return found if dice.random() < 0.7 else Value("+", 0, (found, plain(0)))

    def test() -> Value:
        return Value(dice.choice(["==", "<", ">=", "<"]), 0, (plain(0), plain(1)))

    return [
        Function(test(), plain(1), test(), calling(1) if dice.random() < 0.6 else plain(1), calling(1))
        for _ in range(count)
    ]


def text_of(made: list[Function]) -> str:
    declared = "".join(f"unsigned char f{n}(unsigned char a, unsigned char b);\n" for n in range(len(made)))
    bodies = "".join(function.text(n) for n, function in enumerate(made))
    nondet = "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
    given = f"unsigned char x = __VERIFIER_nondet_uchar() & {BITS}, y = __VERIFIER_nondet_uchar() & {BITS};"
    return f"{nondet}{declared}{bodies}int main(void) {{ {given} return f0(x, y); }}\n"


class _Endless(Exception):
    """A call is under way inside of itself."""


def ends(made: list[Function]) -> bool:
    """Whether the first function ends on all arguments."""
    sys.setrecursionlimit(20_000)
    known: dict[tuple[int, int, int], int | None] = {}

    def call(number: int, a: int, b: int) -> int:
        key = number, a, b
        if key in known:
            found = known[key]
            if found is None:
                raise _Endless
            return found
        known[key] = None
        function = made[number]
        if value(function.condition, a, b):
            result = value(function.base, a, b)
        elif value(function.second, a, b):
            result = value(function.one, a, b)
        else:
            result = value(function.other, a, b)
        known[key] = result & 255
        return result & 255

    def value(tree: Value, a: int, b: int) -> int:
        if tree.kind == "number":
            return tree.number
        if tree.kind == "parameter":
            return (a, b)[tree.number]
        left, right = (value(part, a, b) for part in tree.parts)
        match tree.kind:
            case "call":
                return call(tree.number, left & 255, right & 255)
            case "+":
                return (left + right) & BITS
            case "-":
                return (left - right) & BITS
            case "&":
                return left & right & BITS
            case "==":
                return int(left == right)
            case "<":
                return int(left < right)
        return int(left >= right)

    try:
        for a in range(BITS + 1):
            for b in range(BITS + 1):
                call(0, a, b)
    except _Endless:
        return False
    return True


def judge_recursion(seed: int, folder: Path, tally: Counter[str], compiled: bool = False) -> str | None:
    """Compare what is said about a program with brute force; what is wrong, if something is."""
    made = functions(seed)
    truth = ends(made)
    file = folder / "program.c"
    file.write_text(text_of(made), encoding="utf-8")
    program = with_termination(load(file))
    [claim] = check(EngineTask(program, ("termination",), TerminationSettings()), Run(timeout=10))
    match claim:
        case Proved(proof=CutPointProof() as proof):
            model = program.layout.data_model
            certificate = ProofCertificate(
                file="", sha256="", data_model=model, entry=program.entry, property="termination", version="", main="",
                proofs=(), cuts=proof,
            )  # fmt: skip
            answer, verdict, right = check_proof(program, certificate), "holds", truth
        case Refuted(run=EndlessRun() as found):
            answer, verdict, right = check_endless(program, found), "violated", not truth
            if compiled:
                status = execution.confirm(found.test, file, rounds=found.rounds).status
                tally[f"compiled: {status}"] += 1
        case _:
            tally[f"open, {'ends' if truth else 'endless'}"] += 1
            return None
    if not answer.accepted:
        tally[f"{verdict}, refused"] += 1
        return None
    tally[verdict] += 1
    return None if right else f"seed {seed}: {verdict}, but brute force says otherwise\n{text_of(made)}"
