"""The abstraction of DASH: regions of states, and the abstract transitions between them that are not excluded.

A region is a location with a conjunction of literals. The regions of a location form a binary tree: splitting a leaf by
a formula makes two. Abstract transitions are implicit: a hop of the graph leads from every region of its source to
every region of its target unless that transition is *blocked*. Blocking is done only with a reason that holds for all
states, so regions and blocked transitions stay valid for ever, whatever tests come and go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from pincer.engines.dash.goals import TARGET, Graph, Hop
from pincer.engines.dash.limits import LIMITS
from pincer.execution.testing import Node
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, disjunction, negate


class Region:
    """States at one location that satisfy all literals. `nodes` are the states of tests that lie in it."""

    __slots__ = (
        "blocked", "blocked_into", "checked", "dead", "literals", "location", "nodes", "number", "sides", "split",
    )  # fmt: skip

    def __init__(self, location: int, literals: tuple[Term, ...], number: int) -> None:
        self.location = location
        self.literals = literals
        self.number = number
        self.nodes: list[Node] = []
        self.blocked: set[tuple[Hop, Region]] = set()
        self.blocked_into: set[tuple[Region, Hop]] = set()
        self.split: Term | None = None
        self.sides: tuple[Region, Region] | None = None
        self.dead = False
        self.checked = 0

    @property
    def predicate(self) -> Term:
        return conjunction(*self.literals)

    def __repr__(self) -> str:
        return f"{self.location}:{self.predicate}"


class Frontier(Struct, frozen=True):
    """An abstract transition from a region with tests into one without, on a way to the target.

    `node` is the state of a test in the source that is to be driven on, None for any."""

    source: Region
    hop: Hop
    target: Region
    node: Node | None = None


class Abstraction:
    """The regions of one analysis: of the whole program, or of one procedure with a question about its exit."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.arriving = graph.arriving()
        self.entering = graph.entering()
        self._locations = graph.locations()
        self._roots: dict[int, Region] = {}
        self._leaves: dict[int, list[Region]] = {}
        self._count = 0
        self.splits = 0
        self.target = self.root(TARGET)

    def _made(self, location: int, literals: tuple[Term, ...]) -> Region:
        self._count += 1
        return Region(location, literals, self._count)

    def root(self, location: int) -> Region:
        root = self._roots.get(location)
        if root is None:
            root = self._roots[location] = self._made(location, ())
            self._leaves[location] = [root]
        return root

    def leaves(self, location: int) -> list[Region]:
        self.root(location)
        return self._leaves[location]

    def locations(self) -> Iterator[int]:
        return iter(self._roots)

    @property
    def regions(self) -> int:
        return sum(len(leaves) for leaves in self._leaves.values())

    def region_of(self, node: Node) -> Region:
        region = self.root(node.location)
        while region.sides is not None:
            assert region.split is not None
            region = region.sides[0 if node.state.value(region.split) else 1]
        return region

    def add(self, node: Node) -> None:
        """Put a state into its region; states inside of hops have none."""
        if node.location not in self._locations:
            return
        region = self.region_of(node)
        if len(region.nodes) < LIMITS.nodes_kept:
            region.nodes.append(node)

    def forget_nodes(self) -> None:
        for leaves in self._leaves.values():
            for leaf in leaves:
                leaf.nodes.clear()

    def refine(self, region: Region, rho: Term, also: Iterable[Term] = ()) -> tuple[Region, Region]:
        """Split a leaf into the states with rho and those without (Fig. 11), which inherit what is blocked.

        `also` are literals that follow from `not rho`, given separately to keep formulas small."""
        without = tuple(also) or (negate(rho),)
        inside = self._made(region.location, _added(region.literals, (rho,)))
        outside = self._made(region.location, _added(region.literals, without))
        region.split, region.sides = rho, (inside, outside)
        for node in region.nodes:
            (inside if node.state.value(rho) else outside).nodes.append(node)
        region.nodes = []
        leaves = self._leaves[region.location]
        leaves[leaves.index(region) : leaves.index(region) + 1] = [inside, outside]
        for side in (inside, outside):
            side.dead = region.dead
            for hop, after in region.blocked:
                for target in (inside, outside) if after is region else (after,):
                    self.block(side, hop, target)
            for before, hop in region.blocked_into:
                if before is not region:
                    self.block(before, hop, side)
        for hop, after in region.blocked:
            after.blocked_into.discard((region, hop))
        for before, hop in region.blocked_into:
            before.blocked.discard((hop, region))
        self.splits += 1
        return inside, outside

    @staticmethod
    def block(source: Region, hop: Hop, target: Region) -> None:
        """Exclude an abstract transition. The caller knows that no state of the source makes it."""
        source.blocked.add((hop, target))
        target.blocked_into.add((source, hop))

    def backward(
        self, through_tests: bool, alive: Callable[[Region], bool] = lambda region: not region.dead
    ) -> Iterator[tuple[Region, Hop, Region]]:
        """Abstract transitions on ways to the target through regions that are alive, nearest first.

        With `through_tests` False the search does not continue behind regions that tests have reached: the transitions
        out of those are the frontiers."""
        queue, seen, at = [self.target], {self.target}, 0
        while at < len(queue):
            after = queue[at]
            at += 1
            for hop in self.graph.incoming.get(after.location, ()):
                for before in self.leaves(hop.source):
                    if (hop, after) in before.blocked or not alive(before):
                        continue
                    yield before, hop, after
                    if before not in seen and (through_tests or not before.nodes):
                        seen.add(before)
                        queue.append(before)

    def unsafe(self) -> dict[int, Term]:
        """By location, the states of the regions from which the target may be reached."""
        found: dict[int, set[Region]] = {}
        for before, _, _ in self.backward(through_tests=True):
            found.setdefault(before.location, set()).add(before)
        return {location: _union(self.root(location), regions) for location, regions in found.items()}


def _union(region: Region, chosen: set[Region]) -> Term:
    """The states of a region that lie in chosen leaves, as a formula that follows the splits."""
    if region.sides is None:
        return TRUE if region in chosen else FALSE
    assert region.split is not None
    inside, outside = (_union(side, chosen) for side in region.sides)
    if inside is outside:
        return inside
    if inside is TRUE:
        return disjunction(region.split, outside)
    if outside is TRUE:
        return disjunction(negate(region.split), inside)
    return disjunction(conjunction(region.split, inside), conjunction(negate(region.split), outside))


def _added(literals: tuple[Term, ...], new: tuple[Term, ...]) -> tuple[Term, ...]:
    return (*literals, *(literal for literal in new if literal not in literals))
