"""A proof, and its invariant as a certificate: GCL text that stands on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pincer.abstraction.predicates import AbstractState
from pincer.engines.guarded.exploration import Exploration, Node
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.execution.symbolic import SymbolicState
from pincer.logic import terms
from pincer.logic.projection import project
from pincer.logic.terms import Term
from pincer.program.transition_system import TransitionSystem


class Proof(Struct, frozen=True):
    """Closed abstract states that hold every cut state, each with what else holds in it (`strengthening`).

    Together with the expanded states they are an inductive invariant.
    """

    check: str
    exploration: Exploration
    closed: Mapping[AbstractState, tuple[Term, ...]]

    def outside(self) -> list[Node]:
        """The expanded nodes that the closed abstract states may not cover.

        What strengthens an abstract state was made to hold in the concrete states expanded there.
        """
        return [
            node
            for node in self.exploration.nodes
            if (strengthening := self.closed.get(node.alpha)) is None
            or (strengthening and not isinstance(node.state, tuple))
        ]


def certificate(system: TransitionSystem, proof: Proof, properties: Sequence[str], engine: str) -> Certificate:
    """The closed abstract states, and the explored states outside them, as an inductive invariant."""
    abstraction = proof.exploration.abstraction
    cubes: dict[tuple[int, ...], list[str]] = {}
    formulas: dict[tuple[int, ...], list[str]] = {}
    for abstract, strengthening in proof.closed.items():
        control, mask = abstraction.decode(abstract)
        if strengthening:
            whole = terms.conjunction(*abstraction.literals(abstract), *strengthening)
            formulas.setdefault(control, []).append(terms.text(whole))
        else:
            cubes.setdefault(control, []).append("".join("01"[mask >> i & 1] for i in range(abstraction.size)))
    for node in proof.outside():
        control, _ = abstraction.decode(node.alpha)
        formulas.setdefault(control, []).append(state_text(system, node))
    by_content: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[int, ...]]] = {}
    for control in sorted(cubes.keys() | formulas.keys()):
        content = (tuple(sorted(cubes.get(control, ()))), tuple(dict.fromkeys(formulas.get(control, ()))))
        by_content.setdefault(content, []).append(control)
    program = system.program
    return Certificate(
        file=program.file,
        sha256=program.sha256,
        constants=program.constants,
        properties=tuple(properties),
        engine=engine,
        check=proof.check,
        control=tuple(str(v) for v in system.control_variables),
        predicates=tuple(terms.text(p) for p in abstraction.predicates),
        regions=tuple(Region(tuple(controls), *content) for content, controls in by_content.items()),
    )


def state_text(system: TransitionSystem, node: Node) -> str:
    """The data part of an explored state, as a formula over the program's variables."""
    state = node.state
    if not isinstance(state, SymbolicState):
        values = zip(system.data_variables, state[len(system.domains) :], strict=True)
        return " && ".join(f"{v} = {value}" for v, value in values) or "true"
    equations = [terms.equal(v, value) for v, value in zip(system.data_variables, state.values, strict=True)]
    symbols = sorted(
        {s for part in (*state.values, *state.condition) for s in part.variables}, key=lambda symbol: symbol.id
    )
    return terms.text(project([*equations, *state.condition], symbols))
