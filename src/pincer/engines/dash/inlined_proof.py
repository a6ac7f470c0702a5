"""Proofs about a program whose calls were put in place, read back as proofs about the program as it is written.

Every instance of a body becomes a Hoare triple of its procedure. What its invariants say about variables of the callers
around it becomes ghosts, which the calls give their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pincer.engines.inlining import Inlined, Instance
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.logic.bitvectors import variable, width
from pincer.logic.terms import TRUE, Term, conjunction, equal, substitute
from pincer.program.registers import is_local


def read_back(proofs: tuple[ProcedureProof, ...], inlined: Inlined) -> tuple[ProcedureProof, ...]:
    """The triples of the program as written; the entry procedure's stays the first."""
    return tuple(part for proof in proofs for part in _Parts(proof).of(inlined.instances[proof.procedure], proof.id))


class _Parts(Struct):
    """The parts of one triple."""

    proof: ProcedureProof

    def of(self, instance: Instance, name: str) -> Iterator[ProcedureProof]:
        """The triple of an instance, and those of the instances inside it."""
        proof, procedure = self.proof, instance.procedure
        outermost = name == proof.id
        foreign = () if outermost else self._foreign(instance)
        names = _own_names(instance) | {register: _ghost(register) for register in foreign}
        inside = {index: f"{name}.{i}" for i, index in enumerate(instance.inside, 1)}
        same = conjunction(*(equal(parameter, substitute(term, names)) for parameter, term in instance.passed.items()))
        invariants = {
            place: conjunction(same, substitute(proof.invariants.get(moved, TRUE), names))
            for place, moved in instance.places.items()
        }
        calls = {
            index: tuple(_translated(use, names) for use in proof.calls[moved])
            for index, moved in instance.kept.items()
            if moved in proof.calls
        }
        for index, other in instance.inside.items():
            values = {str(_ghost(register).args[0]): names.get(register, register) for register in self._foreign(other)}
            calls[index] = (CallUse(inside[index], values),)
        yield ProcedureProof(
            name,
            procedure.name,
            proof.entry if outermost else invariants.get(procedure.entry, TRUE),
            proof.exit if outermost else substitute(proof.invariants.get(instance.places[procedure.exit], TRUE), names),
            proof.errors,
            proof.ghosts if outermost else tuple((str(_ghost(r).args[0]), width(r)) for r in foreign),
            invariants,
            calls,
        )
        for index, other in instance.inside.items():
            yield from self.of(other, inside[index])

    def _foreign(self, instance: Instance) -> list[Term]:
        """What an instance mentions of the activations around it, and of the triple's own ghosts."""
        mentioned: set[Term] = set()
        own: set[Term] = set()
        for part in instance.all():
            own |= set(part.registers.values())
            mentioned |= frozenset().union(*(term.variables for term in part.passed.values()))
            for place in part.places.values():
                mentioned |= self.proof.invariants.get(place, TRUE).variables
            for index in part.kept.values():
                for use in self.proof.calls.get(index, ()):
                    mentioned |= frozenset().union(*(value.variables for value in use.ghost_values.values()))
        ghosts = {name for name, _ in self.proof.ghosts}
        foreign = {term for term in mentioned - own if is_local(term) or str(term.args[0]) in ghosts}
        return sorted(foreign, key=lambda register: register.id)


def _own_names(instance: Instance) -> dict[Term, Term]:
    return {moved: register for register, moved in instance.registers.items()}


def _ghost(register: Term) -> Term:
    return variable(f"@@{register.args[0]}", width(register)) if is_local(register) else register


def _translated(use: CallUse, names: Mapping[Term, Term]) -> CallUse:
    return CallUse(use.proof, {ghost: substitute(value, names) for ghost, value in use.ghost_values.items()})
