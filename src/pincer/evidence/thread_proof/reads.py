"""What a condition depends on, and what a step changes: most conditions survive most steps by looking."""

from __future__ import annotations

from pincer.evidence.c_proof.term_data import Reader, variables
from pincer.evidence.thread_proof.leaves import GHOST, OWNED_BY, OWNER, WRITER, WRITTEN_BY, leaf_of
from pincer.evidence.thread_proof.states import State
from pincer.logic.terms import Term

MEMORY, ROOMS, TABLE = "|memory", "|rooms", "|table "
"""Keys that no register has for a name."""


class Dependences:
    """What conditions depend on, remembered: texts of registers and ghosts, memory, sizes of objects, and tables."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._known: dict[Term, frozenset[str]] = {}

    def of(self, condition: Term) -> frozenset[str]:
        found = self._known.get(condition)
        if found is None:
            found = self._known[condition] = self._found(condition)
        return found

    def _found(self, condition: Term) -> frozenset[str]:
        reads = self._reader.reads(condition)
        keys = {key for key, is_read in ((MEMORY, reads.memory), (ROOMS, reads.rooms)) if is_read}
        for variable in variables(condition):
            name = str(variable.args[0])
            leaf = leaf_of(name)
            if leaf is None:
                keys.add(name)
            elif leaf.kind is not None:
                keys.add(TABLE + leaf.kind.name)
            for argument in () if leaf is None else leaf.arguments:
                if argument.startswith(GHOST):
                    keys.add(argument)
                elif argument.startswith(OWNED_BY):
                    keys.add(TABLE + OWNER.name)
                elif argument.startswith(WRITTEN_BY):
                    keys.add(TABLE + WRITER.name)
        return frozenset(keys)


def changed_for_others(before: State, after: State, mover: str) -> frozenset[str]:
    """What a step of a thread changes that others can see."""
    own = f"{mover}|"
    keys = {name for name in after.changed if not name.startswith((own, "new|"))}
    if after.memory is not before.memory:
        keys.add(MEMORY)
    if after.rooms is not before.rooms:
        keys.add(ROOMS)
    keys.update(TABLE + name for name, table in after.tables.items() if table is not before.tables[name])
    return frozenset(keys)
