"""Random functions in which some things have no value, judged by memcheck and by us.

Memcheck watches the code that gcc makes without optimisation, many functions in one run; the first thing it says about
a function is what we must say about a program that calls only this function: at the same line, or nothing at all.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import Claim, EngineTask, Refuted
from pincer.evidence.c.trace import CTest
from pincer.frontends.c.load import load
from pincer.program.passes import InitialisedReads, instrumented
from pincer.runtime.run import Run

HEAD = """\
#include <stdlib.h>
#include <string.h>
struct pair { char c; int i; short s; };
struct bits { unsigned a : 3, b : 5, c : 9; };
union both { int i; unsigned char c[4]; };
int table[4] = {3, 1, 4, 1};
int sink;
int twice(int x) { return x + x; }
int larger(int x, int y) { if (x > y) return x; return y; }
void put(int *p, int v) { *p = v; }
"""
_AT_ONCE = 50
_MOVES = (
    "t = s;", "s = t;", "memcpy(b, a, sizeof b);", "memcpy(&t, &s, sizeof t);", "memcpy(q, a, 2 * sizeof(int));",
    "p = &v;", "p = q;", "p = &a[2];", "o.c[1] = 3;",
)  # fmt: skip
_COMPARISON = re.compile(r" (?:<|==|!=|>=) ")
_REPORT = re.compile(r"uninitialised value.*\n((?:==\d+==    .*\n)+)")
_FRAME = re.compile(r"(?:at|by) 0x[0-9A-F]+: (\w+) \([^():]+:(\d+)\)")


class Writer:
    """The text of one function: a statement on each line."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []

    def function(self, name: str) -> str:
        chance = self.random.random()
        for variable in ("u", "v", "w", "x"):
            self.lines.append(f"int {variable}{self._perhaps(' = 5', chance)};")
        self.lines += ["int g = 2, h = 7;", "int a[4], b[4];", "struct pair s, t;", "struct bits f;", "union both o;"]
        self.lines += ["int *p = &u, *q = malloc(4 * sizeof(int));"]
        for statement in ("a[0] = 1; a[1] = 2;", "a[2] = a[3] = 3;", "memset(b, 0, sizeof b);", "s.c = 1;", "s.i = 4;"):
            self.lines.append(self._perhaps(statement, chance))
        for statement in (
            "s.s = 2;",
            "t = s;",
            "f.a = 1;",
            "f.b = 2;",
            "f.c = 3;",
            "o.i = 9;",
            "q[0] = 4;",
            "q[1] = 5;",
        ):
            self.lines.append(self._perhaps(statement, chance))
        self._block(self.random.randint(4, 10), 0)
        self.lines.append("free(q);")
        return f"void {name}(void) {{\n" + "\n".join(self.lines) + "\n}\n"

    def _perhaps(self, text: str, chance: float) -> str:
        return text if self.random.random() < 0.35 + chance * 0.65 else ""

    def _block(self, statements: int, depth: int) -> None:
        for _ in range(statements):
            self._statement(depth)

    def _statement(self, depth: int) -> None:
        kind = self.random.randrange(12 if depth < 2 else 8)
        if kind < 5:
            place, value = self._place(), self._value(2)
            self.lines.append(f"{place} = {value if value != place else 8};")
        elif kind == 5:
            self.lines.append(f"put({self.random.choice(('&v', '&a[1]', 'p', 'q + 1', '&s.i'))}, {self._value(1)});")
        elif kind == 6:
            moves = ("t = s;", "s = t;", "memcpy(b, a, sizeof b);", "memcpy(&t, &s, sizeof t);", "p = &v;", "p = q;")
            self.lines.append(
                self.random.choice((*moves, "memcpy(q, a, 2 * sizeof(int));", "p = &a[2];", "o.c[1] = 3;"))
            )
        elif kind == 7:
            self.lines.append(f"sink += {self._value(1)};")
        elif kind in (8, 9):
            self.lines.append(f"if ({self._condition()})")
            self._braced(depth)
            if self.random.random() < 0.4:
                self.lines.append("else")
                self._braced(depth)
        elif kind == 10:
            self.lines.append(f"for (int i = 0; i < {self.random.randint(1, 3)}; i++)")
            self._braced(depth)
        else:
            cases = f"case 1: sink = 1; break; case {self.random.randint(2, 9)}: sink = 2; break; default: sink = 3;"
            self.lines.append(f"switch ({self._value(1)}) {{ {cases} }}")

    def _braced(self, depth: int) -> None:
        self.lines.append("{")
        self._block(self.random.randint(1, 3), depth + 1)
        self.lines.append("}")

    def _place(self) -> str:
        places = ("u", "v", "w", "x", "a[1]", "a[g]", "b[3]", "s.i", "s.s", "t.c", "f.a", "f.b", "o.i", "o.c[2]", "*p")
        return self.random.choice((*places, "q[2]", "q[g]", f"a[{self._value(0)} & 3]"))

    def _read(self) -> str:
        reads = ("u", "v", "w", "x", "g", "h", "a[0]", "a[3]", "b[g]", "s.i", "t.i", "t.s", "s.c", "f.a", "f.b", "f.c")
        return self.random.choice((*reads, "o.i", "o.c[0]", "o.c[1]", "*p", "q[0]", "q[3]", "table[g]", "1", "6"))

    def _value(self, depth: int) -> str:
        kind = self.random.randrange(11 if depth else 1)
        if kind < 3:
            return self._read()
        left, right = self._value(depth - 1), self._value(depth - 1)
        if right == left:
            right = "9"
        if kind < 6:
            return _operation(left, self.random.choice("+-*&|^"), right)
        if kind == 6:
            return f"twice({left})"
        if kind == 7:
            return f"larger({left}, {right})"
        if kind == 8:
            return f"({self._condition()} ? {left} : {right})"
        # gcc moves operators into the branches of a conditional, and leaves out what does not matter then: it must not
        # see that there is one.
        left, right = (f"twice({side})" if "?" in side else side for side in (left, right))
        if kind == 9:
            return _operation(left, self.random.choice(("&", "<<", ">>")), str(self.random.choice((1, 3, 8))))
        return f"({left} {self.random.choice(('<', '==', '!=', '>='))} {right})"

    def _condition(self) -> str:
        left, right = self._read(), self._read()
        left = "g" if left.isdecimal() else left
        # An outcome that is known leaves nothing to decide, and nothing to ask around it.
        simple = f"{left} {self.random.choice(('<', '==', '!=', '>='))} {right if right != left else 9}"
        kind = self.random.randrange(6)
        if kind == 0:
            return f"g < {self.random.randint(0, 4)} {self.random.choice(('&&', '||'))} {simple}"
        return self._read() if kind == 1 else simple


def _operation(left: str, op: str, right: str) -> str:
    """An operation that gcc computes, and memcheck follows bit by bit.

    Of a comparison and a constant (`(a < b) << 8`) gcc makes a choice that the program does not have, and products with
    large constants (`a * 54`) are instructions in which memcheck takes no notice of the zeros below."""
    if _is_constant(right) and _COMPARISON.search(left):
        left = f"twice({left})"
    if _is_constant(left) and _COMPARISON.search(right):
        right = f"twice({right})"
    if op == "*":
        left, right = (f"twice({side})" if _is_constant(side) and len(side) > 1 else side for side in (left, right))
    return f"({left} {op} {right})"


def _is_constant(text: str) -> bool:
    return not any(character.isalpha() for character in text)


def function(seed: int, name: str) -> str:
    """The text of a random function."""
    return Writer(seed).function(name)


@dataclass(frozen=True)
class Difference:
    """A function about which we and memcheck do not agree: the lines of the function, or None for nothing."""

    seed: int
    memcheck: int | None
    ours: str


def compare(seeds: range, timeout: float = 60.0) -> list[Difference]:
    """Judge all functions both ways."""
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as name:
        folder = Path(name)
        said = memcheck(seeds, folder)
        ours = {seed: _ours(seed, folder, timeout) for seed in seeds}
        return [Difference(seed, said[seed], ours[seed]) for seed in seeds if ours[seed] != _told(said[seed])]


def _told(line: int | None) -> str:
    return "safe" if line is None else f"line {line}"


def memcheck(seeds: range, folder: Path) -> dict[int, int | None]:
    """The line of each function about which memcheck complains first."""
    texts, starts, at = [HEAD], {}, HEAD.count("\n")
    for seed in seeds:
        texts.append(function(seed, f"case_{seed}"))
        starts[seed] = at
        at += texts[-1].count("\n")
    calls = "".join(f"case_{seed}();\n" for seed in seeds)
    source, program = folder / "all.c", folder / "all"
    source.write_text("".join(texts) + f"int main(void) {{\n{calls}return 0;\n}}\n")
    subprocess.run(["gcc", "-g", "-O0", "-w", "-fwrapv", "-fno-builtin", "-o", program, source], check=True)
    command = ["valgrind", "-q", "--error-limit=no", "--num-callers=4", str(program)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[int, int | None] = dict.fromkeys(seeds)
    for report in _REPORT.finditer(ran.stderr):
        for name, line in _FRAME.findall(report[1]):
            case = int(name.removeprefix("case_")) if name.startswith("case_") else None
            if case is not None and found[case] is None:
                found[case] = int(line) - starts[case]
    return found


def _ours(seed: int, folder: Path, timeout: float) -> str:
    source = folder / "one.c"
    source.write_text(HEAD + function(seed, "one") + "int main(void) {\none();\nreturn 0;\n}\n")
    program = instrumented(load(source), InitialisedReads())
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run(timeout=timeout))
    return _line(claim)


def _line(claim: Claim) -> str:
    if not isinstance(claim, Refuted):
        return claim.verdict
    assert isinstance(claim.run, CTest)
    first = HEAD.count("\n")
    line = claim.run.failure.position.line
    if line <= first:
        line = [step.position.line for step in claim.run.steps if step.position.line > first][-1]
    return f"line {line - first}"


def available() -> bool:
    """Whether there is somebody to compare with."""
    return shutil.which("valgrind") is not None and shutil.which("gcc") is not None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.c.uninitialised", description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    different = 0
    for first in range(args.seed, args.seed + args.cases, _AT_ONCE):
        for found in compare(range(first, min(first + _AT_ONCE, args.seed + args.cases))):
            different += 1
            print(f"seed {found.seed}: memcheck says {_told(found.memcheck)}, we say {found.ours}", flush=True)
    print(f"{args.cases} functions, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
