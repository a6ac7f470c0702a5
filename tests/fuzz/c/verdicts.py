"""Our verdicts on random programs against an enumeration of all inputs by the compiled program.

The oracle shares no code with us: a driver in C answers the input functions, runs the program once for every sequence
of answers, and reports whether an error was reached; memory errors are what the address sanitizer sees.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from . import compiler, known_verdicts, verdict_programs
from .verdict_programs import HIGHEST, LOWEST

Property = Literal["assertions", "memory"]
Kind = Literal["assertions", "memory", "known"]
SANITIZERS = ("-O1", "-g0", "-fsanitize=address,null", "-fno-sanitize-recover=all")
DRIVER = """\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#define DEEPEST 200
static jmp_buf over;
static int answers[DEEPEST], domains[DEEPEST], used;
static long low[100], high[100], seen[100];
static unsigned long bits[100];
int program_main(void);
static int answer(int domain) {
    if (used == DEEPEST) { puts("deep"); exit(0); }
    domains[used] = domain;
    return answers[used++];
}
static int following(void) {
    int k = used;
    while (k > 0 && answers[k - 1] + 1 >= domains[k - 1]) k--;
    for (int i = k; i < DEEPEST; i++) answers[i] = 0;
    if (k == 0) return 0;
    answers[k - 1]++;
    return 1;
}
int __VERIFIER_nondet_int(void) { return answer(HIGHEST - LOWEST + 1) + LOWEST; }
unsigned __VERIFIER_nondet_uint(void) { return answer(HIGHEST - LOWEST + 1) + LOWEST; }
char __VERIFIER_nondet_char(void) { return answer(HIGHEST - LOWEST + 1) + LOWEST; }
void __VERIFIER_assume(int condition) { if (!condition) longjmp(over, 1); }
void reach_error(void) { puts("unsafe"); exit(0); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *name) { reach_error(); }
int cell(long index) { if (index < 0 || index > 3) reach_error(); return index; }
void probe(int number, long value) {
    if (!seen[number]++) low[number] = high[number] = value;
    if (value < low[number]) low[number] = value;
    if (value > high[number]) high[number] = value;
    if (value >= -32 && value < 32) bits[number] |= 1ul << (value + 32);
}
int main(void) {
    long runs = 0;
    do {
        used = 0;
        if (++runs > 300000) { puts("many"); return 0; }
        if (!setjmp(over)) program_main();
    } while (following());
    for (int k = 0; k < 100; k++) if (seen[k]) printf("probe %d %ld %ld %lu\\n", k, low[k], high[k], bits[k]);
    puts("safe");
    return 0;
}
"""


@dataclass(frozen=True)
class Judgement:
    """What we and the oracle say about one program; `discarded` says why the oracle gives no answer."""

    checked: Property
    text: str
    ours: str = "unknown"
    oracle: str = "unknown"
    reason: str = ""
    discarded: str = ""

    @property
    def wrong(self) -> bool:
        return {self.ours, self.oracle} == {"safe", "unsafe"} or self.ours == "crash"


def judge(kind: Kind, seed: int, timeout: float) -> Judgement:
    """Try the program of one seed."""
    property_: Property = "memory" if kind == "memory" else "assertions"
    text = ""
    try:
        if kind == "known":
            text, oracle = known_verdicts.generate(seed)
        else:
            text = program(seed, property_)
            oracle = enumerated(text, property_)
    except compiler.Rejected as reason:
        return Judgement(property_, text, discarded=str(reason))
    ours, why = our_verdict(text, property_, timeout)
    return Judgement(property_, text, ours, oracle, why)


def program(seed: int, property_: Property) -> str:
    """The program of a seed, its probes turned into assertions that are just right or just wrong."""
    text = verdict_programs.generate(seed, property_ == "memory")
    return text if property_ == "memory" else _with_assertions(text, Random(seed), _observed(text))


def enumerated(text: str, property_: Property) -> Literal["safe", "unsafe"]:
    """Whether some input leads to an error."""
    done = _driven(text, SANITIZERS if property_ == "memory" else ("-O1",))
    if done.returncode:
        if property_ == "memory" and re.search(r"AddressSanitizer|runtime error", done.stderr):
            return "unsafe"
        raise compiler.Rejected(f"the driver ends with status {done.returncode}: {done.stderr[:200]}")
    last = done.stdout.split()[-1]
    if last in ("many", "deep"):
        raise compiler.Rejected("too many inputs to enumerate")
    return "unsafe" if last == "unsafe" else "safe"


def _observed(text: str) -> dict[int, tuple[int, int, int]]:
    """For each probe that is reached its least and greatest value, and the small values it takes as a bit set."""
    done = _driven(text, ("-O1", "-DPROBE(e)=probe(__COUNTER__, e)"))
    if done.returncode:
        raise compiler.Rejected(f"the probing run ends with status {done.returncode}")
    if done.stdout.split()[-1] != "safe":
        raise compiler.Rejected("too many inputs to enumerate")
    found = re.findall(r"probe (\d+) (-?\d+) (-?\d+) (\d+)", done.stdout)
    return {int(number): (int(low), int(high), int(bits)) for number, low, high, bits in found}


def _with_assertions(text: str, rng: Random, observed: dict[int, tuple[int, int, int]]) -> str:
    """Each probe becomes an assertion about its expression, most of them true."""
    count = text.count("PROBE(")
    wrong = rng.randrange(count) if rng.random() < 0.5 else -1
    lines, number = [], 0
    for line in text.splitlines():
        start = line.find("PROBE(")
        if start < 0:
            lines.append(line)
            continue
        claim = _claim(line[start + 6 : -2], observed.get(number), number == wrong, rng)
        style = rng.choice((f"assert({claim});", f"if (!({claim})) reach_error();"))
        lines.append(line[:start] + style)
        number += 1
    return "\n".join(lines) + "\n"


def _claim(expression: str, values: tuple[int, int, int] | None, wrong: bool, rng: Random) -> str:
    if values is None:
        return f"{expression} == {rng.randint(-9, 9)}"
    low, high, bits = values
    shape = rng.random()
    taken = [value for value in range(-32, 32) if bits >> (value + 32) & 1]
    missing = [value for value in range(max(low, -32) - 1, min(high, 31) + 2) if value not in taken]
    chosen = taken if wrong else missing
    if shape < 0.35 and chosen:
        return f"{expression} != {rng.choice(chosen)}"
    off = 1 if wrong else 0
    if shape < 0.65:
        return f"{expression} <= {high - off}"
    if shape < 0.9:
        return f"{expression} >= {low + off}"
    return f"{expression} >= {low} && {expression} <= {high - off}"


def _driven(text: str, flags: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Build the program with the driver as its main, and run it."""
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as name:
        source = Path(name) / "program.c"
        source.write_text(f"#define main program_main\n{text}", encoding="utf-8")
        driver = Path(name) / "driver.c"
        driver.write_text(DRIVER, encoding="utf-8")
        limits = ("-DCELL(i)=cell(i)", f"-DLOWEST=({LOWEST})", f"-DHIGHEST={HIGHEST}")
        return compiler.execute(compiler.build(source, (*flags, *limits, str(driver))), timeout=20)


def our_verdict(text: str, property_: Property, timeout: float) -> tuple[str, str]:
    """The verdict of `pincer check` and its reason; `crash` for anything but an answer."""
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as name:
        source = Path(name) / "program.c"
        source.write_text(re.sub(r"CELL\(([^)]*)\)", r"\1", text), encoding="utf-8")
        command = [sys.executable, "-m", "pincer.cli", "check", str(source), "--property", property_]
        command += ["--timeout", f"{timeout:g}", "--format", "json"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=2 * timeout + 20, check=False)
        except subprocess.TimeoutExpired:
            return "crash", "no answer long after the time limit"
    try:
        answer = json.loads(done.stdout)["properties"][0]
    except (ValueError, KeyError, IndexError):
        return "crash", f"exit status {done.returncode}: {(done.stderr or done.stdout)[-600:]}"
    return str(answer["verdict"]), str(answer.get("reason", ""))
