"""Is some fair run of a finite model one on which an LTL formula is false? By a tableau, one state at a time.

A node is a state with a guess which temporal subformulas hold from there on. Guesses of neighbours must fit; what is
promised must come. Nothing is shared with Pincer, neither automata nor the search for fair components.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, cast

from tests.fuzz.live.models import Model, State
from tests.fuzz.temporal.trees import Tree

Guess: TypeAlias = tuple[bool, ...]
Node: TypeAlias = tuple[State, Guess]
Step: TypeAlias = tuple[Node, int, Node]

_TEMPORAL = ("next", "wnext", "always", "some", "until", "release", "weak_until")


@dataclass
class Tableau:
    model: Model
    formula: Tree
    temporal: list[Tree] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._collect(self.formula)

    def _collect(self, tree: Tree) -> None:
        for part in tree[1:]:
            if isinstance(part, tuple):
                self._collect(part)
        if tree[0] in _TEMPORAL and tree not in self.temporal:
            self.temporal.append(tree)

    def holds(self, tree: Tree, node: Node) -> bool:
        state, guess = node
        if tree[0] in _TEMPORAL:
            return guess[self.temporal.index(tree)]
        parts = [cast(Tree, part) for part in tree[1:]]
        match tree[0]:
            case "prop":
                return tree[1] in self.model.letter(state)
            case "not":
                return not self.holds(parts[0], node)
            case "and":
                return self.holds(parts[0], node) and self.holds(parts[1], node)
            case "or":
                return self.holds(parts[0], node) or self.holds(parts[1], node)
            case "implies":
                return not self.holds(parts[0], node) or self.holds(parts[1], node)
        raise ValueError(tree)

    def fits(self, node: Node, after: Node | None) -> bool:
        """Whether what is guessed for a state agrees with what is for the next one, or with the end."""
        return all(self._fits(tree, node, after) for tree in self.temporal)

    def _fits(self, tree: Tree, node: Node, after: Node | None) -> bool:
        parts = [cast(Tree, part) for part in tree[1:]]
        here = [self.holds(part, node) for part in parts]
        later = None if after is None else self.holds(tree, after)
        match tree[0]:
            case "next" | "wnext":
                wanted = tree[0] == "wnext" if after is None else self.holds(parts[0], after)
            case "some":
                wanted = here[0] or bool(later)
            case "always":
                wanted = here[0] and later is not False
            case "until":
                wanted = here[1] or (here[0] and bool(later))
            case "release":
                wanted = here[1] and (here[0] or later is not False)
            case _:
                wanted = here[1] or (here[0] and later is not False)
        return self.holds(tree, node) is wanted

    def kept(self, tree: Tree, node: Node) -> bool:
        """Whether nothing is promised here that has not come: true again and again on every run."""
        guessed = self.holds(tree, node)
        here = [self.holds(cast(Tree, part), node) for part in tree[1:]]
        match tree[0]:
            case "some":
                return not guessed or here[0]
            case "always":
                return guessed or not here[0]
            case "until":
                return not guessed or here[1]
            case "release":
                return guessed or not here[1]
            case "weak_until":
                return guessed or (not here[0] and not here[1])
        return True


def violated(model: Model, formula: Tree) -> bool:
    """Whether the formula is false on some maximal fair run."""
    tableau = Tableau(model, formula)
    guesses = list(product((False, True), repeat=len(tableau.temporal)))
    start = [(state, guess) for state in model.initial_states() for guess in guesses]
    pending = [node for node in start if not tableau.holds(formula, node)]
    seen, steps = set(pending), list[Step]()
    while pending:
        node = pending.pop()
        successors = list(model.steps(node[0]))
        if not successors and tableau.fits(node, None):
            return True
        for action, state in successors:
            for guess in guesses:
                after = (state, guess)
                if tableau.fits(node, after):
                    steps.append((node, action.process, after))
                    if after not in seen:
                        seen.add(after)
                        pending.append(after)
    return any(_fair(tableau, members, inside) for members, inside in _components(steps))


def _fair(tableau: Tableau, members: set[Node], steps: list[Step]) -> bool:
    """Whether a fair run that keeps its promises stays among these nodes."""
    if not all(any(tableau.kept(tree, node) for node in members) for tree in tableau.temporal):
        return False
    taken = {process for _, process, _ in steps}
    for process, kind in enumerate(tableau.model.fairness):
        if not kind or process in taken:
            continue
        able = {node for node in members if _able(tableau.model, process, node[0])}
        if able == members:
            return False
        if kind == "strong" and able:
            rest = [step for step in steps if step[0] not in able and step[2] not in able]
            return any(_fair(tableau, inner, inside) for inner, inside in _components(rest))
    return True


def _able(model: Model, process: int, state: State) -> bool:
    return any(model.enabled(action, state) for action in model.actions if action.process == process)


def _components(steps: list[Step]) -> Iterator[tuple[set[Node], list[Step]]]:
    """Nodes that reach each other by one step or more, with the steps among them."""
    after: dict[Node, set[Node]] = {}
    before: dict[Node, set[Node]] = {}
    for source, _, target in steps:
        after.setdefault(source, set()).add(target)
        before.setdefault(target, set()).add(source)
    todo = set(after)
    while todo:
        node = next(iter(todo))
        members = _closure(node, after) & _closure(node, before)
        todo -= members | {node}
        if members:
            yield members, [step for step in steps if step[0] in members and step[2] in members]


def _closure(node: Node, after: dict[Node, set[Node]]) -> set[Node]:
    found: set[Node] = set()
    pending = [node]
    while pending:
        fresh = after.get(pending.pop(), set()) - found
        found |= fresh
        pending += fresh
    return found
