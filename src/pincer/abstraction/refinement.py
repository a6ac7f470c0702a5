"""New predicates from a step that can leave the explored abstract successors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, choice_symbol
from pincer.logic import terms
from pincer.logic.projection import project
from pincer.logic.terms import Term
from pincer.program.transition_system import Nondet


def preimage_predicates(
    abstraction: PredicateAbstraction, abstract: AbstractState, transition: int, missed: Iterable[AbstractState]
) -> list[Term]:
    """Atoms of the pre-images, through the transition, of what tells the missed successors from the others.

    Only atoms that the abstract state does not decide already are returned.
    """
    choices = _choices(abstraction, transition)
    found: dict[Term, None] = {}
    for position in _undecided_positions(abstraction, abstract, transition):
        preimage = abstraction.preimage(transition, position)
        if preimage.variables.isdisjoint(choices):
            found.update(dict.fromkeys(terms.atoms(preimage)))
    if choices:
        for target in missed:
            for atom in terms.atoms(preimage_formula(abstraction, abstract, transition, target)):
                if atom not in found and _open(abstraction, abstract, atom):
                    found[atom] = None
    known = set(abstraction.predicates)
    return [atom for atom in found if atom not in known and not abstraction.system.over_control_only(atom)]


def _choices(abstraction: PredicateAbstraction, transition: int) -> frozenset[Term]:
    system = abstraction.system
    return frozenset(
        choice_symbol(system.data_variables[i])
        for i, update in system.transitions[transition].data_updates
        if isinstance(update, Nondet)
    )


def _undecided_positions(abstraction: PredicateAbstraction, abstract: AbstractState, transition: int) -> list[int]:
    """The predicates that hold in some successors of the abstract state and fail in others."""
    successors = abstraction.successors(abstract, transition)
    some, every = 0, -1
    for successor in successors:
        some |= successor
        every &= successor
    return [i for i in range(abstraction.size) if (some ^ every) >> i & 1]


def preimage_formula(
    abstraction: PredicateAbstraction, abstract: AbstractState, transition: int, target: AbstractState
) -> Term:
    """The states, at the control values of `abstract`, with a successor in `target` by the transition."""
    choices = _choices(abstraction, transition)
    literals = list(abstraction.choice_bounds(transition))
    for position in range(abstraction.size):
        preimage = abstraction.preimage_at(abstract, transition, position)
        literals.append(terms.literal(preimage, bool(target >> position & 1)))
    free = [literal for literal in literals if literal.variables.isdisjoint(choices)]
    bound = [literal for literal in literals if not literal.variables.isdisjoint(choices)]
    return terms.conjunction(*free, *(project(group, symbols) for group, symbols in _groups_by_choice(bound, choices)))


def is_exact(
    abstraction: PredicateAbstraction, abstract: AbstractState, transition: int, target: AbstractState
) -> bool:
    """Whether every state of the abstract state has a successor in the target (the paper's exact transitions)."""
    if abstraction.system.transitions[transition].deterministic:
        return abstraction.successors(abstract, transition) == (target,)
    missing = terms.negate(preimage_formula(abstraction, abstract, transition, target))
    return not abstraction.queries.satisfiable([*abstraction.literals(abstract), missing], "exactness")


def _groups_by_choice(literals: Sequence[Term], choices: frozenset[Term]) -> list[tuple[list[Term], list[Term]]]:
    """Literals grouped by the chosen values they constrain together."""
    groups: list[tuple[list[Term], set[Term]]] = []
    for literal in literals:
        symbols = set(literal.variables & choices)
        members = [literal]
        separate = []
        for other_members, other_symbols in groups:
            if symbols.isdisjoint(other_symbols):
                separate.append((other_members, other_symbols))
            else:
                members = other_members + members
                symbols |= other_symbols
        groups = [*separate, (members, symbols)]
    return [(members, sorted(symbols, key=lambda s: s.id)) for members, symbols in groups]


def _open(abstraction: PredicateAbstraction, abstract: AbstractState, atom: Term) -> bool:
    return len(abstraction.queries.patterns(abstraction.literals(abstract), [atom], "refinement")) > 1
