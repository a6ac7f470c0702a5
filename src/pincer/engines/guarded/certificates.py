"""A proof, and its invariant as a certificate: GCL text that stands on its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pincer.abstraction.predicates import AbstractState
from pincer.engines.guarded.exploration import AbstractExploration, Explored, Node
from pincer.engines.guarded.reduction import Groups
from pincer.engines.guarded.spacer import GuessedInvariant
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
    exploration: AbstractExploration
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


def certificate(
    system: TransitionSystem,
    proof: Proof | GuessedInvariant,
    properties: Sequence[str],
    engine: str,
    local: Groups = (),
) -> Certificate:
    """A proof as an inductive invariant in GCL; what was explored leaves out steps at `local` places."""
    predicates, regions = _guessed(system, proof) if isinstance(proof, GuessedInvariant) else _explored(system, proof)
    program = system.program
    return Certificate(
        file=program.file,
        sha256=program.sha256,
        constants=program.constants,
        properties=tuple(properties),
        engine=engine,
        check=proof.check,
        control=tuple(str(v) for v in system.control_variables),
        predicates=predicates,
        regions=regions,
        local=local if isinstance(proof, Proof) else (),
    )


def _guessed(system: TransitionSystem, proof: GuessedInvariant) -> tuple[tuple[str, ...], tuple[Region, ...]]:
    """The formula at each valuation of the finite variables; those at which it is the same share a region."""
    by_formula: dict[str, list[tuple[int, ...]]] = {}
    for control in proof.controls:
        values = dict(zip(system.control_variables, map(terms.integer, control), strict=True))
        there = terms.substitute(proof.formula, values)
        if there is not terms.FALSE:
            by_formula.setdefault(terms.text(there), []).append(control)
    return (), tuple(Region(tuple(controls), (), (formula,)) for formula, controls in by_formula.items())


def _explored(system: TransitionSystem, proof: Proof) -> tuple[tuple[str, ...], tuple[Region, ...]]:
    """The closed abstract states, and the explored states outside them."""
    abstraction = proof.exploration.abstraction
    cubes: dict[tuple[int, ...], list[str]] = {}
    formulas: dict[tuple[int, ...], list[str]] = {}
    for abstract, strengthening in _whole(proof).items():
        control, mask = abstraction.decode(abstract)
        if strengthening:
            whole = terms.conjunction(*abstraction.literals(abstract), *strengthening)
            formulas.setdefault(control, []).append(terms.text(whole))
        else:
            cubes.setdefault(control, []).append("".join("01"[mask >> i & 1] for i in range(abstraction.size)))
    for node in proof.outside():
        for control, text in _state_texts(system, proof.exploration, node):
            formulas.setdefault(control, []).append(text)
    by_content: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[int, ...]]] = {}
    for control in sorted(cubes.keys() | formulas.keys()):
        content = (tuple(sorted(cubes.get(control, ()))), tuple(dict.fromkeys(formulas.get(control, ()))))
        by_content.setdefault(content, []).append(control)
    regions = tuple(Region(tuple(controls), *content) for content, controls in by_content.items())
    return tuple(terms.text(p) for p in abstraction.predicates), regions


def _whole(proof: Proof) -> Mapping[AbstractState, tuple[Term, ...]]:
    """The closed abstract states with all their images."""
    quotient = proof.exploration.quotient
    if quotient is None:
        return proof.closed
    return {image: held for abstract, held in proof.closed.items() for image in quotient.orbit(abstract)}


def _state_texts(
    system: TransitionSystem, exploration: AbstractExploration, node: Node
) -> Iterator[tuple[tuple[int, ...], str]]:
    """An explored state and its images: finite values, and a formula for the others."""
    split = len(system.domains)
    if not isinstance(node.state, tuple):
        yield exploration.abstraction.decode(node.alpha)[0], state_text(system, node.state)
        return
    if exploration.quotient is None:
        yield node.state[:split], state_text(system, node.state)
        return
    for image in exploration.quotient.symmetry.orbit(node.state):
        yield image[:split], state_text(system, image)


def state_text(system: TransitionSystem, state: Explored) -> str:
    """The data part of an explored state, as a formula over the program's variables."""
    if not isinstance(state, SymbolicState):
        values = zip(system.data_variables, state[len(system.domains) :], strict=True)
        return " && ".join(f"{v} = {value}" for v, value in values) or "true"
    equations = [terms.equal(v, value) for v, value in zip(system.data_variables, state.values, strict=True)]
    symbols = sorted(
        {s for part in (*state.values, *state.condition) for s in part.variables}, key=lambda symbol: symbol.id
    )
    return terms.text(project([*equations, *state.condition], symbols))
