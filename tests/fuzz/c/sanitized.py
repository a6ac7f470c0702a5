"""Overflow and leaks of random programs without inputs: our verdict against gcc's UBSan and LeakSanitizer.

Many functions are compiled into one program, which runs the one that it is told; what the sanitizer reports first is
held against the end of our own execution of the same function: the line, and for leaks all lines that allocate what is
lost. Shares no code with us.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pincer.frontends.c.load import load
from pincer.program.passes import DefinedArithmetic, Leaks, instrumented
from tests.execution.interpreted import interpret

from . import compiler

_ARITHMETIC = "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift"
_RUNTIME = re.compile(r"\.c:(\d+):\d+: runtime error")
_LOST = re.compile(r"(?:Direct|Indirect) leak.*?\.c:(\d+)", re.DOTALL)
# A signed result that becomes unsigned or narrower is computed without sign by gcc, and its sanitizer sees no overflow.
_KEPT_HEAD = "#define KEPT(e) ({ volatile __typeof__(e) kept = (e); kept; })\n"
_LEAK_HEAD = "#include <stdlib.h>\nstruct node { struct node *a, *b; int v; };\nstruct node *g, *h, *table[3];\n"


@dataclass(frozen=True)
class Difference:
    """A function about which we and a sanitizer do not agree."""

    seed: int
    sanitizer: str
    ours: str


def arithmetic_function(seed: int, name: str) -> str:
    """Statements on numbers of all types, many of them near the ends of their ranges."""
    random = Random(seed)
    # Narrow variables are operands only, and there are no small unsigned ones: see KEPT.
    names = [f"v{k}" for k in range(6)]
    kinds = [random.choice(("int", "long", "unsigned", "unsigned long", "int")) for _ in names[:4]]
    kinds += [random.choice(("short", "signed char")) for _ in names[4:]]
    numbers = [random.choice(_NUMBERS) for _ in names]
    lines = [f"volatile {kind} {one} = (int){start};" for kind, one, start in zip(kinds, names, numbers, strict=True)]
    lines += [_statement(random, names) for _ in range(random.randint(5, 14))]
    return f"void {name}(void) {{\n" + "\n".join(lines) + "\n}\n"


_NUMBERS = ("0", "1", "-1", "2", "7", "31", "32", "127", "255", "32767", "65535", "2147483647", "-2147483647", "100000")


def _statement(random: Random, names: list[str]) -> str:
    target = random.choice(names[:4])
    kind = random.randrange(10)
    if kind == 0:
        return f"{target}{random.choice(('++', '--'))};"
    if kind == 1:
        operator = random.choice("+-*/%")
        if random.random() < 0.5:
            return f"{target} {operator}= {random.choice(_NUMBERS)};"
        return f"{target} = KEPT({target} {operator} {random.choice(names)});"
    if kind == 2:
        return f"{target} = {_operand(random, names)} {random.choice(('<<', '>>'))} {random.choice(names)};"
    if kind == 3:
        return f"if ({random.choice(names)} < {random.choice(names)}) {target} = {_value(random, names, 2)};"
    if kind == 4:
        left, right = random.choice(names), random.choice(names)
        return f"{target} = {left} > 0 {random.choice(('&&', '||'))} {_value(random, names, 1)} != {right};"
    if kind == 5:
        return f"{target} = {random.choice(names)} > 3 ? {_value(random, names, 1)} : {_value(random, names, 1)};"
    return f"{target} = {_value(random, names, 2)};"


def _operand(random: Random, names: list[str]) -> str:
    return random.choice(names) if random.random() < 0.7 else random.choice(_NUMBERS)


def _value(random: Random, names: list[str], depth: int) -> str:
    # An operation on constants alone is folded, and its overflow is only warned of.
    if depth == 0:
        return random.choice(names)
    left, right = _value(random, names, depth - 1), _operand(random, names)
    if random.random() < 0.5:
        right = _value(random, names, depth - 1)
    kind = random.randrange(8)
    if kind == 0:
        return f"(-{random.choice(names)})"
    if kind == 1:
        return f"({left} {random.choice(('<<', '>>'))} {random.choice((1, 3, 15, 31))})"
    if kind == 2:
        return f"({left} {random.choice('/%')} {right})"
    return f"KEPT({left} {random.choice('+-*+-*&|^')} {right})"


def leaking_function(seed: int, name: str) -> str:
    """Nodes that are made, linked, dropped and freed; a freed node is never reached again."""
    random = Random(seed)
    lines = ["struct node *p = 0, *q = 0, *r = 0;"]
    places = ("p", "q", "r", "g", "h", "table[0]", "table[2]")
    fields = ("a", "b")
    for _ in range(random.randint(4, 16)):
        one, two = random.choice(places), random.choice(places)
        kind = random.randrange(9)
        if kind < 4:
            lines.append(f"{one} = calloc(1, sizeof(struct node));")
        elif kind < 6:
            lines.append(f"{one} = {two};")
        elif kind == 6:
            lines.append(f"if ({one}) {one}->{random.choice(fields)} = {two};")
        elif kind == 7:
            lines.append(f"if ({one}) {two} = {one}->{random.choice(fields)};")
        else:
            lines.append(f"{one} = 0;")
    if random.random() < 0.3:
        lines.append("{ void *t = malloc(8); free(t); }")
    return f"void {name}(void) {{\n" + "\n".join(lines) + "\n}\n"


def arithmetic_ours(file: Path) -> str:
    program = instrumented(load(file), DefinedArithmetic())
    stop = interpret(program, max_steps=100_000).stop
    return f"line {stop.edge.position.line}" if stop.kind == "fail" and stop.edge is not None else "nothing"


def leaking_ours(file: Path) -> str:
    program = instrumented(load(file), Leaks())
    outcome = interpret(program, max_steps=100_000)
    lost = [outcome.state.objects[base].shape for base in outcome.stop.left]
    lines = sorted({shape.position.line for shape in lost if hasattr(shape, "position")})
    return f"lines {lines}" if lines else "nothing"


def arithmetic_theirs(errors: str) -> str:
    found = _RUNTIME.search(errors)
    return "nothing" if found is None else f"line {found[1]}"


def leaking_theirs(errors: str) -> str:
    lines = sorted({int(line) for line in _LOST.findall(errors)})
    return f"lines {lines}" if lines else "nothing"


@dataclass(frozen=True)
class Comparison:
    """What is compared: how functions are written, judged by us and by a sanitizer."""

    head: str
    write: Callable[[int, str], str]
    flags: tuple[str, ...]
    ours: Callable[[Path], str]
    theirs: Callable[[str], str]


COMPARISONS: Mapping[str, Comparison] = {
    "overflow": Comparison(
        _KEPT_HEAD, arithmetic_function, (_ARITHMETIC, "-fno-sanitize-recover=all"), arithmetic_ours, arithmetic_theirs
    ),
    "leaks": Comparison(_LEAK_HEAD, leaking_function, ("-fsanitize=leak",), leaking_ours, leaking_theirs),
}


def compare(kind: str, seeds: range) -> list[Difference]:
    """Judge the functions of all seeds both ways; each has lines of its own in one file."""
    comparison = COMPARISONS[kind]
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as name:
        folder = Path(name)
        texts = {seed: comparison.write(seed, "f") for seed in seeds}
        program = _built(folder, comparison, texts)
        differences = []
        for seed, text in texts.items():
            said = comparison.theirs(_errors(program, seed))
            file = folder / "one.c"
            file.write_text(f"{comparison.head}{text}int main(void) {{ f(); return 0; }}\n", encoding="utf-8")
            ours = comparison.ours(file)
            if ours != said:
                differences.append(Difference(seed, said, ours))
        return differences


def _built(folder: Path, comparison: Comparison, texts: Mapping[int, str]) -> Path:
    """A program that runs the function of the seed it is given. Lines count from the head, as in a file of its own."""
    source, target = folder / "all.c", folder / "all.exe"
    first = comparison.head.count("\n") + 1
    parts = [comparison.head]
    for seed, text in texts.items():
        parts.append(f'# {first} "all.c"\n' + text.replace("void f(", f"void f{seed}(", 1))
    # What main's own frames keep would still point to lost memory: the function runs deeper, and the stack is cleared.
    calls = "".join(f"case {seed}: f{seed}(); break;\n" for seed in texts)
    parts.append("int atoi(const char *);\nstatic void run(int n) { switch (n) {\n" + calls + "} }\n")
    parts.append("static void clear(void) { volatile char room[4096]; for (int i = 0; i < 4096; i++) room[i] = 0; }\n")
    parts.append("int main(int n, char **words) { run(atoi(words[n - 1])); clear(); return 0; }\n")
    source.write_text("".join(parts), encoding="utf-8")
    command = ["gcc", "-w", "-g", "-O0", *comparison.flags, str(source), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    return target


def _errors(program: Path, seed: int) -> str:
    done = subprocess.run(
        [str(program), str(seed)], capture_output=True, text=True, errors="replace", timeout=20, env=dict(os.environ)
    )
    return done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=sorted(COMPARISONS))
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if not compiler.available():
        print("gcc is not installed: nothing to compare with")
        return 2
    found = []
    for start in range(args.seed, args.seed + args.cases, 200):
        found += compare(args.kind, range(start, min(start + 200, args.seed + args.cases)))
    for difference in found:
        print(f"seed {difference.seed}: the sanitizer says {difference.sanitizer}, we say {difference.ours}")
    print(f"{args.kind}: {args.cases} programs, {len(found)} different")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
