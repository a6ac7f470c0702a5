"""Which threads are joined where, and where pointers point to: an outline that tells little else.

Where a creation site stores a thread's number, its creator knows the number from there on, until it writes to that
memory, and so does a register that it is read into. Addresses that are constants are followed through registers and
the arguments of threads. Whether nobody else writes there the filter finds out.
"""

from __future__ import annotations

from collections.abc import Generator

from pincer.engines.outlines.filtering import GuessFilter
from pincer.engines.outlines.questions import OutlineQuestions
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.leaves import thread_leaf
from pincer.evidence.thread_proof.outline import Outline
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, ControlFlowProgram
from pincer.program.labels import written_register
from pincer.program.registers import is_local
from pincer.program.thread_labels import Start
from pincer.program.threaded_system import Action, Enter, Leave, Perform, Place, ThreadedSystem, UnfoldedThread
from pincer.runtime.run import Run

Values = dict[Term, Term]
"""The number of a thread, or the address, that a register or a piece of memory holds."""


def known_addresses(program: ControlFlowProgram, system: ThreadedSystem, run: Run) -> Generator[None, None, Outline]:
    """The outline: what registers of threads and memory hold at their places."""
    guesses = _Guesses(program, system)
    script = Script()
    assertions = {
        number: {
            place: tuple(terms.equal(term, value) for term, value in known.items())
            for place, known in places.items()
            if known
        }
        for number, places in guesses.found.items()
    }
    guessed = Outline((), {number: places for number, places in assertions.items() if places})
    coarse, exact = (claim_writer(program, system, guessed, script, flag) for flag in (True, False))
    filtered = GuessFilter(coarse, exact, OutlineQuestions(script, run))
    yield from filtered.run()
    return filtered.outline


class _Guesses:
    """What each thread knows at its places, by its own moves and from whoever starts it."""

    def __init__(self, program: ControlFlowProgram, system: ThreadedSystem) -> None:
        self._system = system
        self._bits = program.layout.pointer_bits
        self._slot = program.layout.slot
        self.found: dict[int, dict[Place, Values]] = {}
        self._given: dict[int, Values] = {}
        for thread in system.threads:
            self.found[thread.number] = self._places(thread)

    def _places(self, thread: UnfoldedThread) -> dict[Place, Values]:
        found: dict[Place, Values] = {thread.entry: self._given.get(thread.number, {})}
        waiting = [thread.entry]
        while waiting:
            place = waiting.pop()
            for move in thread.outgoing[place]:
                after = found[place]
                born = self._system.births.get((thread.number, move.number))
                for action in move.actions:
                    after = self._after(action, after, born)
                if move.target is None:
                    continue
                before = found.get(move.target)
                both = after if before is None else dict(after.items() & before.items())
                if both != before:
                    found[move.target] = both
                    waiting.append(move.target)
        return found

    def _after(self, action: Action, known: Values, born: int | None) -> Values:
        match action:
            case Perform(label=Start(thread=address, argument=argument)) if born is not None:
                for parameter in self._system.threads[born].routine.parameters:
                    self._given[born] = self._with({}, parameter, self._value(argument, known))
                number = thread_leaf(f"#{born}", self._bits)
                return {**known, bitvectors.load(address, self._bits // 8): number}
            case Perform(label=Assign(register, value)) if is_local(register):
                return self._with(known, register, self._value(value, known))
            case Perform(label=label):
                return _without(known, written_register(label))
            case Enter(procedure, arguments):
                given = [self._value(argument, known) for argument in arguments]
                after = _without_own(known, procedure.name)
                for parameter, value in zip(procedure.parameters, given, strict=True):
                    after = self._with(after, parameter, value)
                return after
            case Leave(procedure, result):
                return _without(_without_own(known, procedure.name), result)
        return known

    def _value(self, term: Term, known: Values) -> Term:
        return (
            known[term] if term in known else terms.substitute(term, {t: v for t, v in known.items() if t.op == "var"})
        )

    def _with(self, known: Values, register: Term, value: Term) -> Values:
        """What is known after an assignment: only addresses and numbers of threads are kept."""
        wide = bitvectors.width(value) == bitvectors.width(register) == self._bits
        address = value.op == "bvconst" and value.args[0] >= self._slot
        number = value.op == "var" and str(value.args[0]).startswith("#")
        kept = _without(known, register)
        return {**kept, register: value} if wide and (address or number) else kept


def _without(known: Values, register: Term | None) -> Values:
    return {term: value for term, value in known.items() if term is not register}


def _without_own(known: Values, procedure: str) -> Values:
    """Registers of what is called begin anew, or are over; those of callers stay."""
    return {term: value for term, value in known.items() if term.op != "var" or term.args[0].owner != procedure}
