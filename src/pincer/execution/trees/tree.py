"""The symbolic execution tree: what all runs of a program have in common, and where they part.

A node stands for a remaining program with its symbolic store. An arc stands for one state: it carries the state in
which the program of its source is stepped and the constraints added there, so a path has as many arcs as its run has
states. Runs share their longest common prefix of equal arcs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from immutables import Map
from msgspec import Struct

from pincer.execution.msvl import Execution, PathConstraint, Snapshot
from pincer.execution.msvl.records import EndingKind
from pincer.execution.msvl.residual import pending_symbols
from pincer.execution.msvl.store import Contents
from pincer.execution.msvl.values import Value
from pincer.logic.terms import Term

ROOT = 0


class Arc(Struct, frozen=True):
    """One state of at least one run. A `back` arc closes a lasso: its target is where the loop begins."""

    source: int
    target: int
    state: Snapshot
    constraints: tuple[PathConstraint, ...]
    back: bool = False


class Path(Struct, frozen=True):
    """A run in the tree. `nodes` begin at the root; `arcs[i]` is its state i and leaves `nodes[i]`.

    The first `shared` arcs were in the tree before.
    """

    number: int
    nodes: tuple[int, ...]
    arcs: tuple[Arc, ...]
    shared: int
    execution: Execution

    @property
    def kind(self) -> EndingKind:
        return self.execution.ending.kind

    @property
    def conditions(self) -> tuple[Term, ...]:
        return tuple(constraint.condition for constraint in self.execution.constraints)


@dataclass(slots=True)
class Tree:
    """Nodes are numbered in the order of their creation, the root is 0.

    With `share_terminal` all runs that terminate end in one common node, otherwise each has its own. `marks` tell which
    nodes are ends, and of what kind; the end of a lasso is the node to which its back arc leads.
    """

    share_terminal: bool = True
    size: int = 1
    paths: list[Path] = field(default_factory=list)
    marks: dict[int, set[EndingKind]] = field(default_factory=dict)
    _children: dict[tuple[int, Hashable], Arc] = field(default_factory=dict)
    _known: dict[Hashable, Path] = field(default_factory=dict)
    _terminal: int | None = None

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """All arcs, in the order of their creation."""
        return tuple(self._children.values())

    def add(self, execution: Execution) -> Path:
        """Add a run; if it brings nothing new, the path that is in the tree already is returned."""
        nodes, arcs, shared = [ROOT], list[Arc](), 0
        last = len(execution.states) - 1
        constraints = _by_state(execution)
        for number, state in enumerate(execution.states):
            here = constraints.get(number, ())
            end = _end(execution) if number == last else None
            key = nodes[-1], (_label(state), tuple(one.condition for one in here), end)
            arc = self._children.get(key)
            if arc is None:
                target = self._target(nodes, end)
                arc = self._children[key] = Arc(nodes[-1], target, state, here, back=isinstance(end, int))
            elif shared == number:
                shared += 1
            nodes.append(arc.target)
            arcs.append(arc)
        path = Path(len(self.paths), tuple(nodes), tuple(arcs), shared, execution)
        known = self._known.setdefault((path.nodes, path.conditions, path.kind), path)
        if known is path:
            self.marks.setdefault(nodes[-1], set()).add(path.kind)
            self.paths.append(path)
        return known

    def _target(self, nodes: list[int], end: int | str | None) -> int:
        """The node after a state: a new one, that of the loop's beginning, or the common end."""
        if isinstance(end, int):
            return nodes[end]
        if end is not None and self.share_terminal:
            if self._terminal is None:
                self._terminal = self._new()
            return self._terminal
        return self._new()

    def _new(self) -> int:
        self.size += 1
        return self.size - 1


def _end(execution: Execution) -> int | str | None:
    """How the last state differs from one that goes on: the start of the loop, "end", or not at all."""
    if execution.ending.kind == "lasso":
        return execution.ending.start
    return "end" if execution.ending.kind == "terminated" else None


def _by_state(execution: Execution) -> dict[int, tuple[PathConstraint, ...]]:
    found: dict[int, tuple[PathConstraint, ...]] = {}
    for constraint in execution.constraints:
        found[constraint.state] = (*found.get(constraint.state, ()), constraint)
    return found


def _label(state: Snapshot) -> Hashable:
    """What two runs must agree on to share a state: symbolic values where there are any, concrete ones elsewhere."""
    cells = tuple(sorted(_cells(state.contents), key=lambda cell: cell[:2]))
    return cells, state.objects, state.scopes, state.active


def _cells(contents: Contents) -> Iterator[tuple[int, int, Hashable]]:
    for number, found in contents.items():
        if isinstance(found, Map):
            for offset, value in found.items():
                yield number, offset, _shown(value)
        else:
            yield number, 0, _shown(found)


def _shown(value: Value) -> Hashable:
    """Terms and numbers are told apart from each other, and 1 from 1.0."""
    if value.symbolic is not None:
        return value.symbolic
    return type(value.concrete), value.concrete


def repeats_symbolically(execution: Execution) -> bool:
    """Whether a lasso is one for every input of its path, not only for those of this run.

    It is when the symbolic store and the pending assignments before the loop and after it are the same. Conditions
    tested inside the loop do no harm then: the next round tests them on the same terms over the same inputs, and they
    are among the constraints of the path already.
    """
    ending = execution.ending
    if ending.kind != "lasso" or ending.start is None:
        return False
    if ending.symbolic or ending.start == 0:
        return True
    before, after = execution.states[ending.start - 1], execution.states[-1]
    programs = execution.programs[ending.start], execution.programs[len(execution.states)]
    first, second = (list(pending_symbols(program)) for program in programs)
    return before.contents == after.contents and first == second
