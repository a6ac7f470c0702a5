"""Reports to show: one for each kind of engine, a hostile one, a large one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]

EVIL = '<img src=x onerror="hacked=1"></script><script>hacked=1</script>&lt;b&gt;\x1b[31m\u202e\u2028]]>'

SOURCE = """int x;

int main(void) {
    while (x < 3) {
        x = x + 1;
    }
    assert(x == 4);
    return 0;
}
"""


def report(*files: Json) -> Json:
    return {"version": 1, "tool": "pincer 1.0", "call": "pincer check", "elapsed_s": 1.5, "files": list(files)}


def file(*properties: Json, name: str = "loop.c", source: str = SOURCE) -> Json:
    return {"file": name, "language": "c", "source": source, "properties": list(properties)}


def safe(name: str = "assertions") -> Json:
    """A proof: coverage, invariants, regions, numbers."""
    return {
        "name": name,
        "verdict": "safe",
        "word": "HOLDS",
        "engine": "dash",
        "why": "no test reaches the error",
        "time_s": 0.25,
        "evidence": "proof accepted by the checker",
        "assumptions": ["threads interleave under sequential consistency"],
        "warnings": ["the property holds vacuously"],
        "next": "pincer check loop.c --certificate proof.json",
        "coverage": {"tests": [3, 4, 5], "proof": [4, 7], "all": [3, 4, 5, 7, 8]},
        "invariants": [{"line": 4, "place": "main, loop at line 4", "text": "x <= 3"}],
        "graphs": [regions(), chain(3)],
        "queries": {"extend_frontier": {"count": 12, "time_s": 0.2}, "template": {"count": 3, "time_s": 0.01}},
        "history": [
            {"t": n / 10, "phase": "refine", "numbers": {"iterations": n, "predicates": n * n}} for n in range(6)
        ],
        "statistics": {"tests": 3, "solver": {"calls": 15}},
    }


def numbered(steps: Sequence[Json], start: int = 1) -> list[Json]:
    return [{"number": number, **step} for number, step in enumerate(steps, start)]


def unsafe(name: str = "assertions") -> Json:
    """A counterexample of one thread."""
    steps = [{"lane": 0, "line": 3, "text": "main()", "changes": [{"name": "x", "value": "0"}]}]
    for value in range(3):
        change = {"name": "x", "old": str(value), "value": str(value + 1)}
        steps.append({"lane": 0, "line": 5, "text": "x = x + 1;", "changes": [change]})
    steps.append({"lane": 0, "line": 7, "text": "assert(x == 4);", "changes": [], "note": "fails"})
    return {
        "name": name,
        "verdict": "unsafe",
        "word": "VIOLATED",
        "engine": "dash",
        "why": "assertion x == 4 fails",
        "inputs": [["x", "0"]],
        "timeline": {"lanes": ["main"], "steps": numbered(steps)},
        "graphs": [regions()],
    }


def threads() -> Json:
    """A deadlock of two threads, each in its lane."""
    steps = [
        {"lane": 0, "line": 3, "text": "lock(a)", "changes": [{"name": "a", "value": "thread 1"}]},
        {"lane": 1, "line": 5, "text": "lock(b)", "changes": [{"name": "b", "value": "thread 2"}]},
        {"lane": 0, "line": 4, "text": "lock(b)", "changes": [], "note": "blocked on b"},
        {"lane": 1, "line": 7, "text": "lock(a)", "changes": [], "note": "blocked on a"},
    ]
    return {
        **unsafe("deadlock"),
        "engine": "agse",
        "timeline": {"lanes": ["thread 1", "thread 2"], "steps": numbered(steps)},
    }


def lasso() -> Json:
    """A run that repeats its last two steps for ever."""
    steps = [
        {"lane": 0, "line": line, "text": f"state {line}", "changes": [{"name": "p", "value": str(line % 2)}]}
        for line in (3, 4, 5)
    ]
    timeline = {"lanes": ["run"], "steps": numbered(steps, start=0), "loop_from": 1}
    return {**unsafe("always p"), "engine": "dse", "timeline": timeline}


def undecided() -> Json:
    return {"name": "memory", "verdict": "unknown", "word": "UNDECIDED", "engine": "dash", "reason": "out of time"}


def node(name: str, **members: Any) -> Json:
    return {"id": name, "label": name, **members}


def edge(source: str, target: str, label: str = "step", kind: str = "must") -> Json:
    return {"from": source, "to": target, "label": label, "kind": kind}


def graph(nodes: Sequence[Json], edges: Sequence[Json], **members: Any) -> Json:
    return {"title": "Graph", "kind": "abstract", "nodes": list(nodes), "edges": list(edges), **members}


def regions() -> Json:
    nodes = [
        node("entry", kind="initial", line=3, group="main", tests=2),
        node("loop", line=4, group="main", predicates=["x <= 3", "x >= 0"], tests=2, detail=[["reached by", "test 1"]]),
        node("error", kind="error", line=7, group="main", predicates=["x != 4"]),
    ]
    edges = [edge("entry", "loop", "enter"), edge("loop", "loop", "x := x + 1"), edge("loop", "error", "leave", "may")]
    return graph(nodes, edges, title="Regions of main", kind="regions")


def chain(length: int, title: str = "Chain") -> Json:
    nodes = [node(f"s{n}", line=n % 9 + 1, predicates=[f"x > {n % 7}", "y > 0"]) for n in range(length)]
    edges = [edge(f"s{n}", f"s{n + 1}") for n in range(length - 1)]
    return graph(nodes, edges, title=title)


def grid(side: int) -> Json:
    """`side` times `side` abstract states, two steps out of each, one source line."""
    names = {(x, y): f"x = {x}, y = {y}" for x in range(side) for y in range(side)}
    nodes = [node(name, line=5, predicates=["x > 0", "y > 0", "x <= y"], tests=1) for name in names.values()]
    edges = [edge(names[x, y], names[x + 1, y], "right") for x, y in names if x + 1 < side]
    edges += [edge(names[x, y], names[x, y + 1], "up", "may") for x, y in names if y + 1 < side]
    return graph(nodes, edges, title="Abstract states")


def hostile() -> Json:
    """Every text that can come from a program is hostile."""
    found = {
        **safe(EVIL),
        "why": EVIL,
        "reason": f"{EVIL} ",
        "evidence": EVIL,
        "next": EVIL,
        "engine": EVIL,
        "check": EVIL,
        "assumptions": [EVIL],
        "warnings": [EVIL],
        "inputs": [[EVIL, EVIL]],
        "timeline": {
            "lanes": [EVIL],
            "steps": [{"lane": 0, "text": EVIL, "note": EVIL, "changes": [{"name": EVIL, "old": EVIL, "value": EVIL}]}],
        },
        "invariants": [{"line": 1, "place": EVIL, "text": EVIL}],
        "graphs": [
            graph(
                [node(EVIL, group=EVIL, predicates=[EVIL], detail=[[EVIL, EVIL]], kind=EVIL), node("b")],
                [edge(EVIL, "b", EVIL, EVIL)],
                title=EVIL,
                note=EVIL,
                kind=EVIL,
            )
        ],
        "queries": {EVIL: {"count": 1}},
        "statistics": {EVIL: EVIL},
        "history": [{"t": n, "phase": EVIL, "numbers": {EVIL: n}} for n in range(3)],
    }
    mistake = {"kind": EVIL, "message": EVIL, "line": 1, "column": 1}
    return {**report({**file(found, found, name=EVIL, source=EVIL), "error": mistake}), "tool": EVIL, "call": EVIL}
