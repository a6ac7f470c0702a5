"""Guesses about memory: what stores leave behind, where pointers point, and how far a loop has come in it."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.sight import Sight
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import state_reads, width
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Store


def memory_facts(sight: Sight) -> Iterator[Term]:
    """What the procedure's stores have put where, and the few objects that a pointer may point to."""
    stores = [edge.label for edge in sight.procedure.edges if isinstance(edge.label, Store)]
    for store in stores[: LIMITS.stores]:
        yield terms.equal(bitvectors.load(store.address, width(store.value) // 8), store.value)
    for pointer in _pointers(sight):
        for head in sorted(sight.procedure.loop_heads & sight.nodes.keys()):
            seen = sorted({node.state.value(pointer) for node in sight.nodes[head]})
            if 1 < len(seen) <= LIMITS.targets:
                yield terms.disjunction(
                    *(terms.equal(pointer, bitvectors.constant(value, width(pointer))) for value in seen)
                )


def passed_by(sight: Sight) -> Iterator[Term]:
    """What a region denies about memory, once a loop has come by: an access is on this or that side of what is read.

    Combinations of conditions are left out: they come from single rounds of the loop."""
    plain = (literal for literal in sight.literals if literal.op not in ("and", "or"))
    about_memory = [literal for literal in plain if any(map(_is_load, state_reads(literal)))]
    heads = [node.state for head in sight.procedure.loop_heads for node in sight.nodes.get(head, ())]
    accesses = list(_accesses(sight))[: LIMITS.accesses]
    for literal in about_memory[: LIMITS.memory_literals]:
        claim = terms.negate(literal)
        yield claim
        failing = [state for state in heads if not state.value(claim)]
        for read in filter(_is_load, state_reads(literal)):
            for access in accesses:
                for sides in ((access, read.args[0]), (read.args[0], access)):
                    condition = bitvectors.compare("bvule", *sides)
                    if all(state.value(condition) for state in failing):
                        yield terms.disjunction(claim, condition)


def _is_load(read: Term) -> bool:
    return bool(read.op == "load")


def _pointers(sight: Sight) -> list[Term]:
    """The registers through which the procedure reads and writes."""
    found: dict[Term, None] = {}
    for access in _accesses(sight):
        found |= dict.fromkeys(register for register in access.variables if width(register) == width(access))
    return list(found)


def _accesses(sight: Sight) -> dict[Term, None]:
    """The addresses, not constant ones, that the procedure's steps use."""
    found: dict[Term, None] = {}
    for edge in sight.procedure.edges:
        match edge.label:
            case Assign(_, value) | Assume(value):
                read: tuple[Term, ...] = (value,)
            case Store(address, value):
                read = (value,)
                found[address] = None
            case _:
                continue
        found |= {part.args[0]: None for term in read for part in state_reads(term) if _is_load(part)}
    return {address: None for address in found if address.op != "bvconst"}
