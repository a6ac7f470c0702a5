"""States of merged paths: the guard under which a path is there, and what registers and memory hold.

States at the same place, in the same round of all loops around it, become one. They have come different ways, so that
their guards exclude each other: what differs is chosen by one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.loop_order import Rounds
from pincer.evidence.c_proof.merged_memory import Memory, Things
from pincer.evidence.c_proof.operations import Operation, operation_of
from pincer.evidence.c_proof.summaries import Value, one
from pincer.evidence.c_proof.term_data import children
from pincer.evidence.c_proof.words import Guard
from pincer.logic.terms import Term


class State(Struct):
    """Where paths are within an activation, and what holds there: `own` registers are the activation's."""

    guard: Guard
    location: int
    rounds: Rounds
    own: dict[str, Value]
    shared: dict[str, Value]
    things: Things

    def copy(self) -> State:
        return replace(self, own=dict(self.own), shared=dict(self.shared))


class Evaluator:
    """Values of terms in states, and states that meet. Registers that are `globals_` are the program's."""

    def __init__(self, memory: Memory, globals_: frozenset[str]) -> None:
        self.memory = memory
        self.values = memory.values
        self.words = memory.words
        self._globals = globals_
        self._operations: dict[Term, tuple[Operation, tuple[Term, ...]]] = {}

    def value(self, term: Term, state: State) -> Value:
        """The word that a term stands for."""
        return self._value(term, state, {}, {})

    def conditions(self, terms: Sequence[Term], state: State) -> list[Guard]:
        """Where terms hold; what they have in common is looked at once."""
        known: dict[Term, Value] = {}
        held: dict[Term, Guard] = {}
        return [self._condition(term, state, known, held) for term in terms]

    def _condition(self, term: Term, state: State, known: dict[Term, Value], held: dict[Term, Guard]) -> Guard:
        found = held.get(term)
        if found is None:
            found = held[term] = self._new_condition(term, state, known, held)
        return found

    def _new_condition(self, term: Term, state: State, known: dict[Term, Value], held: dict[Term, Guard]) -> Guard:
        words, args = self.words, term.args
        match term.op:
            case "true" | "false":
                return TRUE if term.op == "true" else FALSE
            case "not":
                return self._condition(args[0], state, known, held) ^ 1
            case "and" | "or":
                return self._connective(term, state, known, held)
            case "ite":
                sides = [self._condition(arg, state, known, held) for arg in args]
                return words.choice(*sides)
            case "iff" | "same" if args[0].sort.width is None:
                left, right = (self._condition(arg, state, known, held) for arg in args)
                return words.choice(left, right, right ^ 1)
        operation, parts = self._operation(term)
        values = [self._value(part, state, known, held) for part in parts]
        if operation.op.startswith("fp") and operation.op not in ("fplt", "fple", "fpeq"):
            raise PincerError(f"the operation {operation.op} has no place in a condition")
        return self.values.holds(operation, values, state.guard)

    def _connective(self, term: Term, state: State, known: dict[Term, Value], held: dict[Term, Guard]) -> Guard:
        """What some of the parts settle does not need the others, which may read anywhere."""
        sign = 0 if term.op == "and" else 1
        found = TRUE
        for part in term.args:
            found = self.words.both(found, self._condition(part, state, known, held) ^ sign)
            if found == FALSE or self.words.both(found, state.guard) == FALSE:
                return FALSE ^ sign
        return found ^ sign

    def _operation(self, term: Term) -> tuple[Operation, tuple[Term, ...]]:
        found = self._operations.get(term)
        if found is None:
            found = self._operations[term] = operation_of(term), tuple(children(term))
        return found

    def _value(self, term: Term, state: State, known: dict[Term, Value], held: dict[Term, Guard]) -> Value:
        found = known.get(term)
        if found is None:
            found = known[term] = self._new_value(term, state, known, held)
        return found

    def _new_value(self, term: Term, state: State, known: dict[Term, Value], held: dict[Term, Guard]) -> Value:
        match term.op:
            case "var":
                return self.register(str(term.args[0]), term.sort.width or 0, state)
            case "bvconst":
                return self.values.number(term.args[0], term.sort.width or 0)
            case "ite":
                side = self._condition(term.args[0], state, known, held)
                if self.words.both(side, state.guard) == FALSE:
                    return self._value(term.args[2], state, known, held)
                if self.words.both(side ^ 1, state.guard) == FALSE:
                    return self._value(term.args[1], state, known, held)
                then, otherwise = (self._value(arg, state, known, held) for arg in term.args[1:])
                return self.values.chosen(side, then, otherwise, state.guard)
            case "load":
                address = self._value(term.args[0], state, known, held)
                return self.memory.load(state.things, address, term.args[1], state.guard)
            case "room":
                return self.memory.room(state.things, self._value(term.args[0], state, known, held), state.guard)
        operation, parts = self._operation(term)
        values = [self._value(part, state, known, held) for part in parts]
        return self.values.applied(operation, values, state.guard)

    def register(self, name: str, width: int, state: State) -> Value:
        """What a register holds; one that never got a value holds any."""
        registers = state.shared if name in self._globals else state.own
        value = registers.get(name)
        if value is None:
            value = registers[name] = one(self.words.fresh("register", width))
        elif len(value) > 1:
            value = registers[name] = self.values.pruned(value, state.guard)
        elif value[0][0].value is None:
            value = registers[name] = self.values.settled(value, state.guard)
        if value[0][0].width != width:
            raise PincerError(f"{name} is used with {width} bits and with {value[0][0].width} bits")
        return value

    def merged(self, first: State, second: State, live: frozenset[str]) -> State:
        """Two states that meet, with the registers that are still read."""
        guard = first.guard
        here = self.words.either(guard, second.guard)
        return State(
            here,
            first.location,
            first.rounds,
            self._registers(guard, first.own, second.own, live, here),
            self._registers(guard, first.shared, second.shared, self._globals, here),
            self.memory.mixed(self.words.within(guard, here), first.things, second.things, here),
        )

    def _registers(
        self,
        guard: Guard,
        then: Mapping[str, Value],
        otherwise: Mapping[str, Value],
        live: frozenset[str],
        here: Guard,
    ) -> dict[str, Value]:
        found: dict[str, Value] = {}
        side = self.words.within(guard, here)
        for name in dict.fromkeys((*then, *otherwise)):
            if name not in live:
                continue
            first, second = then.get(name), otherwise.get(name)
            if first is not None and second is not None:
                found[name] = first if first == second else self.values.chosen(side, first, second, here)
            elif first is not None or second is not None:
                known = first or second or ()
                any_value = one(self.words.fresh("register", known[0][0].width))
                found[name] = self.values.chosen(side, first or any_value, second or any_value, here)
        return found
