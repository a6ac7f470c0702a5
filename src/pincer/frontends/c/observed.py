"""C programs whose states a temporal formula speaks about: at each observation, what its propositions say there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.frontends.c.asked_formula import CFormula
from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.unit import Observers
from pincer.frontends.c.observers import FILE, ObservedLocal, StateLook, lines_of, look, observer, said_at, variable_of
from pincer.frontends.c.unfolding import unfolded
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.c_file import CFile
from pincer.program.control_flow import (
    Assign,
    AtLabel,
    ControlFlowProgram,
    Edge,
    Fail,
    Halt,
    Observe,
    Procedure,
    Skip,
    Watched,
)
from pincer.program.effects import has_threads
from pincer.program.passes.edges import fresh_locations
from pincer.program.property import Concern, DataModel
from pincer.program.registers import Role, is_local, register_of


def load_observed(
    files: Sequence[CFile], formula: CFormula, plain: ControlFlowProgram, *, data_model: DataModel, entry: str
) -> ControlFlowProgram:
    """The program with its observations; `plain` is the same without them. Where there are threads, what the formula
    speaks of is watched in every state."""
    threads = has_threads(plain)
    made = [(name, text, observer(i, text, plain, threads)) for i, (name, text) in enumerate(formula.predicates, 1)]
    try:
        program = load(
            files, data_model=data_model, entry=entry, extra="".join(one.text for _, _, one in made),
            observers=Observers(
                frozenset(one.name for _, _, one in made),
                frozenset(line for _, _, one in made for line in lines_of(one)),
            ),
        )  # fmt: skip
    except PincerError as error:
        if error.position is not None and error.position.file == FILE:
            raise PincerError(f"the property {formula.shown}: {error.message}") from None
        raise
    looks = {name: look(program, one, text) for name, text, one in made}
    labels = {moment.split()[1] for seen in looks.values() for moment in seen.moments.values()
              if moment.startswith("at ")}  # fmt: skip
    known = {e.label.moment.removeprefix("at ") for e in program.edges() if isinstance(e.label, Observe)}
    for label in sorted(labels - known):
        what = "no statement that begins there" if ":" in label else f"no label `{label}`"
        raise PincerError(f"at({label}): the program has {what}")
    kept = {name: p for name, p in program.procedures.items() if name not in {one.name for _, _, one in made}}
    partial = tuple(_false_where_undefined(text) for name, text, _ in made if looks[name].partial)
    observed = replace(program, procedures=kept, formula=formula.text, concerns=(*program.concerns, *partial))
    if threads:
        watched = tuple(_watched(name, seen) for name, seen in looks.items())
        return replace(_with_arrivals(observed, labels), watched=watched)
    return unfolded(_Observing(observed, looks).program())


def _false_where_undefined(predicate: str) -> Concern:
    return Concern(f"{{{predicate}}} is false where it is undefined, as by an invalid read or a division by zero")


def _watched(name: str, seen: StateLook) -> Watched:
    if any(is_local(register) for register in seen.condition.variables - seen.moments.keys()):
        raise PincerError("a formula cannot speak of a variable that each thread has for itself")
    places = tuple((register, AtLabel(*moment.split()[1:])) for register, moment in seen.moments.items())
    return Watched(name, seen.condition, places)


def _with_arrivals(program: ControlFlowProgram, labels: set[str]) -> ControlFlowProgram:
    """The program in which coming to each of these labels is a step of its own, as going on from it is."""
    fresh = fresh_locations(program)

    def edges(procedure: Procedure) -> Iterator[Edge]:
        for edge in procedure.edges:
            if isinstance(edge.label, Observe) and edge.label.moment.removeprefix("at ") in labels:
                there = next(fresh)
                yield Edge(edge.source, there, Observe(f"to {edge.label.moment.removeprefix('at ')}"), edge.position)
                yield replace(edge, source=there)
            else:
                yield replace(edge, label=Skip()) if isinstance(edge.label, Observe) else edge

    changed = {name: replace(one, edges=tuple(edges(one))) for name, one in program.procedures.items()}
    return replace(program, procedures=changed)


class _Observing:
    """Gives observations their letters, and keeps what formulas want to know of locals."""

    def __init__(self, program: ControlFlowProgram, looks: Mapping[str, StateLook]) -> None:
        self._program = program
        self._looks = looks
        self._fresh = fresh_locations(program)
        self._locals = sorted(
            {local for seen in looks.values() for local in seen.locals.values()},
            key=lambda one: (one.function, one.name),
        )
        self._shadows: dict[ObservedLocal, tuple[Term, Term]] = {}
        for local in self._locals:
            value = self._value(local)
            self._shadows[local] = (
                register_of(None, f"{local.function}.{local.name}", bitvectors.width(value), Role.GHOST),
                register_of(None, f"in.{local.function}", 8, Role.GHOST),
            )

    def program(self) -> ControlFlowProgram:
        program = self._program
        procedures = {
            name: replace(procedure, edges=tuple(self._edges(procedure)))
            for name, procedure in program.procedures.items()
        }
        ghosts = {register: 0 for both in self._shadows.values() for register in both}
        return replace(program, procedures=procedures, initial={**program.initial, **ghosts})

    def _value(self, local: ObservedLocal) -> Term:
        variable = variable_of(self._program, local)
        if variable.register is not None:
            return variable.register
        assert variable.address is not None
        bits = self._program.layout.pointer_bits if "*" in variable.type else 8 * self._bytes(variable.address)
        return bitvectors.load(variable.address, bits // 8)

    def _bytes(self, address: Term) -> int:
        for edge in self._program.edges():
            begun = getattr(edge.label, "address", None)
            size = getattr(edge.label, "size", None)
            if isinstance(begun, int) and isinstance(size, int) and bitvectors.constant_value(address) == begun:
                return size
        raise PincerError("a local whose address is used in this way cannot be watched; copy it into a global variable")

    def _edges(self, procedure: Procedure) -> Iterator[Edge]:
        """An execution ends in the last state that is observed, when it returns from the entry or is halted."""
        own = [local for local in self._locals if local.function == procedure.name]
        returned = f"return {procedure.name}"
        is_entry = procedure.name == self._program.entry
        for edge in procedure.edges:
            if isinstance(edge.label, Halt | Fail):
                yield from self._ending(edge.source, edge.position, "", edge)
            elif isinstance(edge.label, Observe) and not (is_entry and edge.label.moment == returned):
                yield from self._observation(procedure, edge, edge.label.moment, own)
            else:
                kept = replace(edge, label=Skip()) if isinstance(edge.label, Observe) else edge
                if is_entry and edge.target == procedure.exit:
                    before = next(self._fresh)
                    yield replace(kept, target=before)
                    yield Edge(before, edge.target, self._last(returned), edge.position)
                else:
                    yield kept

    def _last(self, moment: str) -> Observe:
        return Observe(moment, self._letters(moment), last=True)

    def _ending(self, place: int, position: Position, moment: str, edge: Edge) -> Iterator[Edge]:
        before = next(self._fresh)
        yield Edge(place, before, self._last(moment), position)
        yield replace(edge, source=before)

    def _observation(
        self, procedure: Procedure, edge: Edge, moment: str, own: Sequence[ObservedLocal]
    ) -> Iterator[Edge]:
        place = edge.source
        for register, value in self._sampled(own):
            following = next(self._fresh)
            yield Edge(place, following, Assign(register, value), edge.position)
            place = following
        leaving = own and moment == f"return {procedure.name}"
        after = next(self._fresh) if leaving else edge.target
        yield Edge(place, after, Observe(moment, self._letters(moment)), edge.position)
        if leaving:
            known = self._shadows[own[0]][1]
            yield Edge(after, edge.target, Assign(known, bitvectors.constant(0, 8)), edge.position)

    def _sampled(self, own: Sequence[ObservedLocal]) -> Iterator[tuple[Term, Term]]:
        for local in own:
            yield self._shadows[local][0], self._value(local)
        if own:
            yield self._shadows[own[0]][1], bitvectors.constant(1, 8)

    def _letters(self, moment: str) -> tuple[tuple[str, Term], ...]:
        return tuple((name, said_at(seen, moment, self._shadows)) for name, seen in self._looks.items())
