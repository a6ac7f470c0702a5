"""`python -m tests.house.walk`: the way of a file from `pincer check` to the printed verdict, from a trace of calls.

The walk are the modules of the middle (command line, checking, reports, runtime) whose functions run, and the doors:
the modules of front ends, engines and evidence that the middle calls. Constructors of plain data do not count. A step
upwards is a call of the middle from a lower layer, as pyproject.toml orders them. Each file should be read once,
and each program lowered once for all its properties.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORDER = Path(__file__).parent / "recorder"
EXAMPLES: Mapping[str, Sequence[str]] = {
    "C": ("8-loop.c", "--property", "assertions", "--property", "memory"),
    "threads": ("10-transfer.c", "--property", "assertions", "--property", "deadlock"),
    "GCL": ("1-mutex.gcl",),
    "MSVL": ("11-cooler.m",),
}
ROOMS = ("frontends", "engines", "evidence")
BENEATH = ("abstraction", "analysis", "execution", "temporal", "program", "logic", "errors")


@dataclass(frozen=True, slots=True)
class Call:
    """Some calls of a function of one module by a function of another."""

    caller: str
    calling: str
    callee: str
    called: str
    times: int


@dataclass(frozen=True, slots=True)
class Walk:
    """`modules` in the order in which they are entered; `loads` are calls of the doors of front ends."""

    language: str
    modules: tuple[str, ...]
    upwards: tuple[Call, ...]
    readings: int
    loads: int


def walk(language: str) -> Walk:
    """Check the example of a language under the recorder."""
    file, *options = EXAMPLES[language]
    source = ROOT / "examples" / file
    with tempfile.TemporaryDirectory(prefix="pincer-walk-") as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(RECORDER), str(ROOT / "src")]),
            "PINCER_WALK_OUT": str(Path(folder) / "calls"),
            "PINCER_WALK_SOURCE": str(source),
        }
        command = [sys.executable, "-m", "pincer.cli", "check", str(source), *options]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir())]
    records = [text.splitlines() for text in texts if text]
    calls = [_call(line) for record in records for line in record[1:]]
    modules = dict.fromkeys(["cli.main", *_middle_and_doors(calls)])
    loads = sum(call.times for call in calls if _layer(call.caller) in _middle() and _layer(call.callee) == "frontends")
    if not loads:
        raise RuntimeError(f"{language}: no program was loaded, so the record of the worker is missing")
    upwards = tuple(c for c in calls if _layer(c.callee) in _middle() and _rank(c.callee) > _rank(c.caller))
    return Walk(language, tuple(modules), upwards, sum(int(record[0]) for record in records), loads)


def _call(line: str) -> Call:
    caller, calling, callee, called, times = line.split("\t")
    return Call(caller, calling, callee, called, int(times))


def _middle_and_doors(calls: Sequence[Call]) -> Iterator[str]:
    for call in calls:
        for module in (call.caller, call.callee):
            if _layer(module) in _middle():
                yield _short(module)
        if _layer(call.caller) in _middle() and _layer(call.callee) in ROOMS:
            yield _short(call.callee)


def _short(module: str) -> str:
    return module.removeprefix("pincer.")


def _layer(module: str) -> str:
    return module.split(".")[1]


@cache
def _ranks() -> Mapping[str, int]:
    """How high each layer stands."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    [layers] = (contract["layers"] for contract in contracts if contract["name"] == "Arrows point down")
    return {
        name.strip().removeprefix("pincer."): len(layers) - number
        for number, names in enumerate(layers)
        for name in names.replace(":", "|").split("|")
    }


@cache
def _middle() -> frozenset[str]:
    return frozenset(_ranks()) - {*ROOMS, *BENEATH}


def _rank(module: str) -> int:
    return _ranks()[_layer(module)]


def main() -> None:
    for language in EXAMPLES:
        found = walk(language)
        print(f"{language}: {len(found.modules)} modules, {found.readings} readings of the file, {found.loads} loads")
        print("  " + " > ".join(found.modules))
        for call in found.upwards:
            print(f"  upwards: {_short(call.caller)}.{call.calling} > {_short(call.callee)}.{call.called}")


if __name__ == "__main__":
    main()
