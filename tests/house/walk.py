"""`python -m tests.house.walk`: the way of a file from `pincer check` to the printed verdict, from a trace of calls.

What is entered are the modules of the middle (command line, checking, reports, runtime) whose functions run, and the
modules of front ends, engines and evidence that the middle calls. Constructors of plain data do not count. Of these the
walk has the stations: the modules of command line and checking from which a call leads on into a room (a front end, an
engine, evidence, the report), and the doors of the rooms, which are the modules called from there whose functions lead
further inside; who starts a process calls its first module. The others only serve a station: they read arguments, write
messages, hold data. A step upwards is a call of the middle from a lower layer, as pyproject.toml orders them. Each file
should be read once, and each program lowered once for all its properties.
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
_TRIES = 4
EXAMPLES: Mapping[str, Sequence[str]] = {
    "C": ("8-loop.c", "--property", "assertions", "--property", "memory"),
    "threads": ("10-transfer.c", "--property", "assertions", "--property", "race"),
    "GCL": ("1-mutex.gcl",),
    "MSVL": ("11-cooler.m",),
}
ROOMS = ("frontends", "engines", "evidence")
WAYS = ("cli", "checking")
STARTS_THE_WORKER = ("pincer.checking.supervise", "pincer.checking.worker")
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
    """`stations` and all `modules` in the order of entering; `loads` are calls of the doors of front ends."""

    language: str
    stations: tuple[str, ...]
    modules: tuple[str, ...]
    upwards: tuple[Call, ...]
    readings: int
    loads: int


def walk(language: str) -> Walk:
    """Check the example of a language under the recorder; a worker that is stopped first leaves no record."""
    for _ in range(_TRIES):
        found = _walk(language)
        if found is not None:
            return found
    raise RuntimeError(f"{language}: no program was loaded, so the record of the worker is missing")


def _walk(language: str) -> Walk | None:
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
        records = [path.read_text(encoding="utf-8").splitlines() for path in sorted(Path(folder).iterdir())]
    calls = [_call(line) for record in records for line in record[1:]]
    modules = dict.fromkeys(["cli.main", *_middle_and_doors(calls)])
    stations = _stations(calls)
    doors = {module for module in stations if _layer(module) == "frontends"}
    loads = sum(call.times for call in calls if _layer(call.caller) in _middle() and call.callee in doors)
    if not loads:
        return None
    upwards = tuple(c for c in calls if _layer(c.callee) in _middle() and _rank(c.callee) > _rank(c.caller))
    readings = sum(int(record[0]) for record in records)
    on_the_way = tuple(module for module in modules if f"pincer.{module}" in stations)
    return Walk(language, on_the_way, tuple(modules), upwards, readings, loads)


def _stations(calls: Sequence[Call]) -> frozenset[str]:
    """The modules on a way from the command line into a room, with the doors of the rooms."""
    steps = {(call.caller, call.callee) for call in calls} | {STARTS_THE_WORKER}
    leads_inside = {caller for caller, callee in steps if _layer(caller) == _layer(callee)}
    rooms = (*ROOMS, "report")
    doors = {b for a, b in steps if _layer(a) in WAYS and _layer(b) in rooms and b in leads_inside}
    found = set(doors)
    while True:
        more = {a for a, b in steps if _layer(a) in WAYS and b in found} - found
        if not more:
            return frozenset(found)
        found |= more


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
        counts = f"{len(found.stations)} stations, {len(found.modules)} modules entered"
        print(f"{language}: {counts}, {found.readings} readings of the file, {found.loads} loads")
        print("  " + " > ".join(found.stations))
        print("  served by " + ", ".join(module for module in found.modules if module not in found.stations))
        for call in found.upwards:
            print(f"  upwards: {_short(call.caller)}.{call.calling} > {_short(call.callee)}.{call.called}")


if __name__ == "__main__":
    main()
