"""What a program's text says of its data: the constants that shared cells are given, and how large objects are whose
addresses are handed on."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.engines.outlines.form import ThreadedForm
from pincer.engines.outlines.limits import LIMITS
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term, equal
from pincer.program.control_flow import Assign, Begin, Store
from pincer.program.thread_labels import ThreadOperation
from pincer.program.threaded_system import Action, Enter, Perform


def constants_of_cells(form: ThreadedForm) -> dict[Term, tuple[int, ...]]:
    """For each shared cell the values that the program compares it with, gives it, or lets it begin with."""
    found: dict[Term, dict[int, None]] = {cell: {} for cell in form.cells}
    contents = {item.address: item for item in form.program.objects}
    for cell in found:
        if cell.op == "var":
            found[cell][form.program.initial.get(cell, 0)] = None
        else:
            address, size = cell.args[0].args[0], cell.args[1]
            start = address - address % form.program.layout.slot
            known = contents[start].contents if start in contents else b""
            found[cell][int.from_bytes(known[address - start : address - start + size], "little")] = None
    for thread in form.system.threads:
        for move in thread.moves:
            for action in move.actions:
                match action:
                    case Perform(label=Assign(register, value)) if register in found and value.op == "bvconst":
                        found[register][value.args[0]] = None
                    case Perform(label=Store(address, value)) if value.op == "bvconst":
                        cell = bitvectors.load(address, bitvectors.width(value) // 8)
                        if cell in found:
                            found[cell][value.args[0]] = None
    return {cell: tuple(values)[: LIMITS.constants] for cell, values in found.items()}


def sizes_handed_on(form: ThreadedForm) -> Iterator[Term]:
    """The sizes of objects whose addresses are handed on: of static ones, and of those that begin once."""
    sizes = {item.address: item.size for item in form.program.objects}
    handed: dict[int, None] = {}
    for thread in form.system.threads:
        for move in thread.moves:
            for action in move.actions:
                if isinstance(action, Perform) and isinstance(action.label, Begin):
                    sizes[action.label.address] = action.label.size
                handed.update(dict.fromkeys(_constants_handed_on(action)))
    slot = form.program.layout.slot
    for address in dict.fromkeys(value - value % slot for value in handed):
        if address in sizes:
            here = bitvectors.room(bitvectors.constant(address, form.bits))
            yield equal(here, bitvectors.constant(sizes[address], form.bits))


def _constants_handed_on(action: Action) -> Iterator[int]:
    """The constants that are kept in variables or memory, or given to what is called or started."""
    match action:
        case Perform(label=Assign(value=value) | Store(value=value)):
            values: tuple[Term, ...] = (value,)
        case Perform(label=ThreadOperation() as label):
            values = label.operands
        case Enter(arguments=arguments):
            values = arguments
        case _:
            return
    for value in values:
        for part in terms.postorder(value):
            if part.op == "bvconst":
                yield part.args[0]
