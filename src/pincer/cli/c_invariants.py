"""The invariants of a proof that can be said in the user's own C: those at the heads of loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincer.errors import Position
from pincer.logic.terms import Term, conjuncts
from pincer.program.control_flow import Assume, ControlFlowProgram, Procedure, Variable

if TYPE_CHECKING:
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import Invariant
    from pincer.evidence.c_proof.certificate import ProofCertificate

_BYTES = {"char": 1, "short": 2, "int": 4, "long long": 8}
"""Integer types whose size does not depend on the data model."""


def source_invariants(program: ControlFlowProgram, proof: ProofCertificate, text: str) -> Iterator[Invariant]:
    """What a proof says about each loop, one entry for every part that the source's names can express."""
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import Invariant
    from pincer.logic.c_text import NotInC, c_text

    locator = Locator(text, program.file)
    for triple in proof.proofs:
        procedure = program.procedures[triple.procedure]
        names = _Names(program, procedure.name)
        for head in sorted(procedure.loop_heads & triple.invariants.keys()) if not triple.errors else ():
            position = _keyword(procedure, head, locator)
            if position is None:
                continue
            for part in conjuncts(triple.invariants[head]):
                try:
                    yield Invariant(position, c_text(part, names.text, names.signed), "loop_invariant")
                except NotInC:
                    continue


def _keyword(procedure: Procedure, head: int, locator: Locator) -> Position | None:
    """The keyword of the loop whose decision comes first from its head on; None when that is not a loop's."""
    location = head
    for _ in procedure.edges:
        leaving = procedure.outgoing.get(location, ())
        decisions = [edge for edge in leaving if isinstance(edge.label, Assume) and edge.label.branch is not None]
        if decisions:
            index = locator.token_at(decisions[0].position)
            is_loop = index is not None and locator.source.text(index) in ("while", "for", "do")
            return decisions[0].position if is_loop else None
        if len(leaving) != 1 or leaving[0].target in procedure.loop_heads:
            return None
        location = leaving[0].target
    return None


class _Names:
    """The variables of one procedure by what stands for them in terms; a name that means two things means none."""

    def __init__(self, program: ControlFlowProgram, procedure: str) -> None:
        visible = [variable for variable in program.variables if variable.scope in (None, procedure)]
        count = Counter(variable.name for variable in visible)
        unique = [variable for variable in visible if count[variable.name] == 1]
        self._registers = {variable.register: variable for variable in unique if variable.register is not None}
        self._addresses = {variable.address: variable for variable in unique if variable.address is not None}

    def text(self, term: Term) -> str | None:
        variable = self._variable(term)
        return None if variable is None else variable.name

    def signed(self, term: Term) -> bool:
        variable = self._variable(term)
        return variable is not None and variable.signed

    def _variable(self, term: Term) -> Variable | None:
        if term.op == "var":
            return self._registers.get(term)
        if term.op != "load":
            return None
        address, size = term.args
        variable = self._addresses.get(address)
        if variable is None:
            return None
        words = variable.type.removeprefix("unsigned ").removeprefix("signed ")
        return variable if _BYTES.get(words) == size else None
