"""The targets of runs over many files, cores, machines and times: each is a ratio of two measurements in one run.

Commands are run as users run them. The programs are the examples, small ones of one shape, and long ones in which one
line is changed. Where one process works at a time, processor time is compared, so that what else the machine does
decides nothing; where several do, the clock on the wall.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

import pincer
from pincer.bench.rows import benchmarks_directory
from pincer.errors import PincerError
from pincer.runtime.clock import seconds_of_children

Verdicts: TypeAlias = Mapping[str, tuple[tuple[str, str], ...]]
"""By file, the properties with their verdicts."""

_SMALL = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void)
{{
    int x = __VERIFIER_nondet_int(), y = 0;
    if (x < 0 || x > {limit})
        return 0;
    y = x + {number};
    assert(y != {bad});
    return 0;
}}
"""
_PART = """\
static unsigned part{n}(unsigned x)
{{
    unsigned a = x % {limit}, b = a + {step};
    assert(b >= {step});
    b = b * 2 + 1;
    assert(b % 2 == 1);
    a = b - a;
    assert(a > 0);
    return a;
}}

"""
_LOOP = """\
static int total(int x)
{{
    int i = 0, s = 0;
    if (x < 0 || x > {limit})
        return 0;
    while (i < x) {{
        i++;
        s += {step};
    }}
    assert(s == {step} * x);
    return i;
}}

"""


class ScaleLimits(Struct, frozen=True):
    """How much is measured."""

    lines_per_program: int = 300
    """Programs of teams are not shorter."""
    trivial_calls: int = 5
    """The least of some calls is what a start costs."""
    hard: int = 10
    """The slowest programs."""


LIMITS = ScaleLimits()

_PLAIN_BENCHMARKS = ("ase", "dse", "families", "floats", "leaks", "live", "overflow", "threads", "uninitialised")
_HARD_GROUPS = ("loops", "procedures", "memory")
_ASSERTIONS = ("--property", "assertions")


class ScaleRow(Struct, frozen=True):
    """A target and what was measured; without a ratio, `remark` says why. `unlike` are verdicts that differ."""

    name: str
    target: float | None
    ratio: float | None
    remark: str = ""
    unlike: int = 0

    @property
    def shown_remark(self) -> str:
        differing = f"{self.unlike} VERDICTS DIFFER" if self.unlike else ""
        return "; ".join(part for part in (self.remark, differing) if part)

    @property
    def is_met(self) -> bool:
        return self.ratio is not None and (self.target is None or self.ratio <= self.target)


class Timed(Struct, frozen=True):
    """How long a call takes, what it says, how much of it is from a store, the time of each file, and the processor
    time of all its processes together."""

    seconds: float
    verdicts: Verdicts
    recalled: int = 0
    each: Mapping[str, float] = {}
    worked: float = 0.0

    @property
    def answers(self) -> int:
        return sum(map(len, self.verdicts.values()))


def check(words: Sequence[str], folder: Path) -> Timed:
    """A call of `pincer check`: how long it takes, and what it says."""
    command = [sys.executable, "-m", "pincer.cli", "check", "--format", "json", *words]
    started, worked = time.perf_counter(), seconds_of_children()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    seconds, worked = time.perf_counter() - started, seconds_of_children() - worked
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if not results:
        raise PincerError(f"this call says nothing: {' '.join(command)}")
    return Timed(
        seconds,
        {one["file"]: tuple((prop["name"], prop["verdict"]) for prop in one["properties"]) for one in results},
        sum(prop["from_store"] is not None for one in results for prop in one["properties"]),
        {one["file"]: sum(prop["time_s"] for prop in one["properties"]) for one in results},
        worked,
    )


def trivial(folder: Path) -> ScaleRow:
    """A program without anything in it, from the command to the verdict: the least of some calls, in seconds."""
    (folder / "trivial.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    calls = [check(["trivial.c"], folder) for _ in range(LIMITS.trivial_calls)]
    remark = f"processor time {min(call.worked for call in calls):.2f} s"
    return ScaleRow("a trivial program, seconds", 0.35, min(call.seconds for call in calls), remark)


def hard_programs(limit: int) -> tuple[str, ...]:
    """The programs of the benchmark on which one core works longest; those that it does not decide are not among
    them."""
    root = benchmarks_directory("dash")
    files = sorted(str(file) for group in _HARD_GROUPS for file in (root / group).glob("*.c"))
    found = check([*files, *_ASSERTIONS, "--jobs", "1", "--timeout", str(limit)], root)
    decided = [file for file in files if all(verdict != "unknown" for _, verdict in found.verdicts.get(file, ()))]
    return tuple(sorted(decided, key=lambda file: -found.each.get(file, 0.0))[: LIMITS.hard])


def two_cores(folder: Path, limit: int = 60) -> Iterator[ScaleRow]:
    """Hard programs one after the other, with one process for each and with two: all together, and the worst. The first
    calls fill a store, from which the answers come again at the end."""
    ratios, spent, unlike = list[float](), [0.0, 0.0], 0
    programs, kept = hard_programs(limit), ["--store", str(folder / "hard")]
    known: list[tuple[Timed, Timed]] = []
    for file in programs:
        words = [file, *_ASSERTIONS, "--timeout", str(limit)]
        one, two = check([*words, "--jobs", "1", *kept], folder), check([*words, "--jobs", "2"], folder)
        known.append((one, check([*words, "--jobs", "1", *kept], folder)))
        ratios.append(two.seconds / one.seconds)
        spent = [spent[0] + one.seconds, spent[1] + two.seconds]
        unlike += one.verdicts != two.verdicts
    remark = f"{min(ratios):.2f} to {max(ratios):.2f}"
    name = f"{len(ratios)} hard rows, "
    yield ScaleRow(name + "two cores / one", 0.65, spent[1] / spent[0], remark, unlike)
    yield ScaleRow(name + "two cores / one, the worst", 1.2, max(ratios))
    yield _from_store(name + "from the store / first", known)


def bench_programs(pattern: str = "*") -> list[str]:
    """The programs of our benchmarks that need no further words, in all languages; of those the ones whose path ends
    like the pattern."""
    folders = [benchmarks_directory(name) for name in _PLAIN_BENCHMARKS] + [examples_folder()]
    folders += [benchmarks_directory("dash") / group for group in _HARD_GROUPS]
    files = sorted(file for folder in folders for file in folder.rglob("*.*") if file.suffix in (".gcl", ".c", ".m"))
    found = [str(file) for file in files if file.match(pattern)]
    if not found:
        raise PincerError(f"no program of the benchmarks is called {pattern!r}")
    return found


def same_verdicts(folder: Path, limit: int, names: Sequence[str]) -> ScaleRow:
    """One, two and four workers, from the store and on a cluster: how many properties hold here and are violated there.
    What is decided in time in one way and not in another is told beside."""
    words = [*names, "--timeout", str(limit)]
    kept = ["--store", str(folder / "all")]
    ways = [["--jobs", jobs] for jobs in "124"] + [["--jobs", "1", *kept]] * 2
    told = [check([*words, *way], folder).verdicts for way in ways]
    try:
        with local_cluster() as cluster:
            told.append(check([*words, "--on", "ray", "--ray-address", cluster.address], folder).verdicts)
    except PincerError as error:
        remark = f"; {error.message}"
    else:
        remark = ""
    found: dict[tuple[str, str], set[str]] = {}
    for verdicts in told:
        for file, properties in verdicts.items():
            for name, verdict in properties:
                found.setdefault((file, name), set()).add(verdict)
    contradictory = sum({"safe", "unsafe"} <= said for said in found.values())
    sometimes = sum("unknown" in said and len(said) > 1 for said in found.values())
    remark = f"{len(found)} properties in {len(told)} ways, {sometimes} decided in some only" + remark
    return ScaleRow("properties with two verdicts", 0, float(contradictory), remark, contradictory)


def examples_folder() -> Path:
    package = Path(pincer.__file__).parent
    return next(place for place in (package / "examples", package.parents[1] / "examples") if place.is_dir())


def two_workers(folder: Path) -> ScaleRow:
    examples = str(examples_folder())
    one, two = (check([examples, "--jobs", jobs], folder) for jobs in ("1", "2"))
    return ScaleRow("examples, two workers / one", 0.6, two.seconds / one.seconds, unlike=_unlike(one, two))


def from_store(folder: Path) -> ScaleRow:
    words = [str(examples_folder()), "--jobs", "1", "--store", str(folder / "kept")]
    return _from_store("examples, from the store / first", [(check(words, folder), check(words, folder))])


def _from_store(name: str, calls: Sequence[tuple[Timed, Timed]]) -> ScaleRow:
    """Calls that fill a store, and the same again."""
    worked = [sum(pair[i].worked for pair in calls) for i in (0, 1)]
    passed = [sum(pair[i].seconds for pair in calls) for i in (0, 1)]
    recalled, total = (
        sum(found) for found in zip(*((again.recalled, again.answers) for _, again in calls), strict=True)
    )
    remark = f"{recalled} of {total} known; by the clock {passed[1] / passed[0]:.2f}"
    return ScaleRow(name, 0.2, worked[1] / worked[0], remark, sum(_unlike(first, again) for first, again in calls))


def on_cluster(folder: Path, tasks: int) -> Iterator[ScaleRow]:
    """Small tasks here, on two nodes, and on two nodes with a third one that is killed."""
    names = small_programs(folder, tasks)
    here = check([*names, "--jobs", "2"], folder)
    name = f"{tasks} small tasks, "
    with local_cluster() as cluster:
        there = check([*names, "--on", "ray", "--ray-address", cluster.address], folder)
        yield ScaleRow(name + "two Ray nodes / here", 1.25, there.seconds / here.seconds, unlike=_unlike(here, there))
        doomed = cluster.add_node(num_cpus=1)
        words = [*names, "--on", "ray", "--ray-address", cluster.address]
        survived = _with_a_kill(words, folder, lambda: cluster.remove_node(doomed, allow_graceful=False), there.seconds)
    remark = f"{survived.seconds / here.seconds:.2f} of the time here"
    lost = tasks - len(survived.verdicts)
    yield ScaleRow(name + "lost with a node", 0, lost, remark, _unlike(here, survived))


@contextmanager
def local_cluster() -> Iterator[Any]:
    """Two nodes of one processor each on this machine."""
    try:
        from ray.cluster_utils import Cluster
    except ImportError:
        raise PincerError("this row needs Ray: pip install 'pincer[ray]'") from None
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        yield cluster
    finally:
        cluster.shutdown()


def _with_a_kill(words: Sequence[str], folder: Path, kill: Callable[[], None], seconds: float) -> Timed:
    """The same call, with something killed in its middle."""
    timer = threading.Timer(seconds / 2, kill)
    timer.start()
    try:
        return check(words, folder)
    finally:
        timer.join()


def one_line_changes(folder: Path, programs: int = 10) -> ScaleRow:
    """Programs of many lines, checked, changed in one line, and checked again."""
    ratios, unlike = [], 0
    for number in range(programs):
        path = folder / f"long{number}.c"
        words = [path.name, "--jobs", "1", "--store", str(folder / "known")]
        path.write_text(long_program(number), encoding="utf-8")
        first = check(words, folder)
        path.write_text(changed_program(number), encoding="utf-8")
        again, fresh = check(words, folder), check([path.name, "--jobs", "1", "--no-store"], folder)
        unlike += again.verdicts != fresh.verdicts
        ratios.append(again.worked / first.worked)
    remark = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return ScaleRow(
        f"one line of {LIMITS.lines_per_program}, again / first (median)",
        0.4,
        statistics.median(ratios),
        remark,
        unlike,
    )


def parent_memory(folder: Path, tasks: int) -> ScaleRow:
    """The memory of the parent at the end of many tasks, by that at the end of few."""
    names = small_programs(folder, tasks)
    few, many = (_parent_peak(names[:count], folder) for count in (tasks // 10, tasks))
    return ScaleRow(f"memory of the parent, {tasks} tasks / {tasks // 10}", 1.1, many / few, f"{many:.0f} MB")


def _parent_peak(names: Sequence[str], folder: Path) -> float:
    """The largest memory of the parent alone, in megabytes."""
    code = (
        "import resource, sys\nfrom pincer.cli.main import main\nmain(sys.argv[1:])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "check", "-q", "--property", "assertions", *names]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    last = done.stderr.split()[-1:]
    if not last or not last[0].isdigit():
        raise PincerError(f"this call does not tell its memory: {' '.join(command[:3])} ...")
    return int(last[0]) * 1024 / 1e6


def small_programs(folder: Path, count: int) -> list[str]:
    """Programs that are decided at once, every fifth of them violated."""
    for number in range(count):
        limit = 100 + number
        bad = number + (7 if number % 5 == 0 else -1)
        text = _SMALL.format(limit=limit, number=number, bad=bad)
        (folder / f"small{number}.c").write_text(text, encoding="utf-8")
    return [f"small{number}.c" for number in range(count)]


def long_program(number: int) -> str:
    """A program of many functions, one of them with a loop over its input."""
    parts = LIMITS.lines_per_program // (_PART.count("\n") + 1)
    bodies = [_PART.format(n=n, limit=50 + number + n, step=2 + (n + number) % 3) for n in range(parts)]
    calls = "".join(f"    r += part{n}(__VERIFIER_nondet_uint());\n" for n in range(parts))
    head = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nunsigned __VERIFIER_nondet_uint(void);\n\n"
    loop = _LOOP.format(limit=1000 + number, step=2 + number % 3)
    main = f"int main(void)\n{{\n    unsigned r = total(__VERIFIER_nondet_int());\n{calls}    return r > 3;\n}}\n"
    return head + loop + "".join(bodies) + main


def changed_program(number: int) -> str:
    """The same with one line changed in one of its functions."""
    return long_program(number).replace("b = b * 2 + 1;", "b = b * 4 + 3;", 1)


def _unlike(one: Timed, other: Timed) -> int:
    """How many files two runs do not say the same of."""
    files = one.verdicts.keys() | other.verdicts.keys()
    return sum(one.verdicts.get(file) != other.verdicts.get(file) for file in files)
