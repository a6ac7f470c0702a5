"""After an allocation nothing is known in arguments about rounds: neither the address nor what memory holds."""

from __future__ import annotations

from pathlib import Path

from pincer.abstraction.weakest import Weakest
from pincer.engines.termination.forgetful import Forgetful
from pincer.logic.bitvectors import constant, load, room
from pincer.logic.terms import equal
from pincer.program.control_flow import Allocate, Assign
from pincer.program.effects import effects
from tests.engines.termination.loop_programs import ending


def test_only_allocations_are_forgotten(tmp_path: Path) -> None:
    program = ending(tmp_path, "int x; int main(void) { char *p = malloc(4); }")
    [allocation] = [edge.label for edge in program.edges() if isinstance(edge.label, Allocate)]
    about = program.layout, program.top, effects(program).__getitem__
    exact, forgetful = Weakest(*about), Forgetful(*about)
    somewhere = constant(program.first_free - program.layout.slot, 64)
    for read in (program.top, allocation.register, load(somewhere, 4), room(somewhere)):
        known = equal(read, constant(1, 64 if read.op != "load" else 32))
        assert forgetful(allocation, known).variables.isdisjoint({program.top, allocation.register})
        assert any("~any" in str(variable) for variable in forgetful(allocation, known).variables)
    other = Assign(allocation.register, program.top)
    known = equal(allocation.register, program.top)
    assert forgetful(other, known) is exact(other, known)
