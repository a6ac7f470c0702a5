"""Predicates of formulas about C programs: functions that look at a state, and what they say about it as terms.

A predicate in braces becomes a C function behind the program's text, so that it is read as the program is: its types,
its names, its macros. What the source has no value for becomes a parameter: `call(f)`, `return(f)` and `at(LABEL)`, and
`f.x`, a local variable of a function that is not recursive. The function is lowered with the program, and all its ways
from entry to exit together are one term. Where it would be undefined, it is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from pincer.errors import PincerError
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE, Term, conjunction, disjunction, equal, negate, substitute
from pincer.program.control_flow import (
    WHERE_OBJECTS_LIE,
    Assign,
    Assume,
    Check,
    ControlFlowProgram,
    Input,
    Label,
    Procedure,
    Skip,
    SourceVariable,
)
from pincer.program.graphs import on_cycles
from pincer.program.registers import is_global
from pincer.program.thread_labels import AtomicBegin, AtomicEnd

FILE = "<--property>"
"""What the text of predicates is shown as."""
_MOMENT = re.compile(r"\b(call|return|at)\s*\(\s*([A-Za-z_]\w*|[\w./+-]+:\d+)\s*(?:,\s*(\w+)\s*)?\)")
_LOCAL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\.\s*([A-Za-z_]\w*)")
_NAME = "__pincer_observe_"
_MOST_WAYS = 256
_WITH_THREADS = "formulas about threads speak of global variables and of at(LABEL, THREAD) only"


class ObservedLocal(Struct, frozen=True):
    """A local variable that a predicate speaks of."""

    function: str
    name: str


class Observer(Struct, frozen=True):
    """The function of a predicate: its name and text, and what its parameters stand for, in their order."""

    name: str
    text: str
    given: tuple[str | ObservedLocal, ...]


class StateLook(Struct, frozen=True):
    """What a predicate says about a state: a condition in which parameters stand for moments and locals. One that is
    `partial` has states in which C does not define it; it is false there."""

    condition: Term
    moments: Mapping[Term, str]
    locals: Mapping[Term, ObservedLocal]
    partial: bool = False


def observer(number: int, predicate: str, program: ControlFlowProgram, threads: bool = False) -> Observer:
    """The function that a predicate becomes; mistakes that C does not know of are `PincerError`s. Predicates about a
    program with `threads` may say which one is at a label, and know no single function that is entered or left."""
    given: dict[str | ObservedLocal, str] = {}

    def moment(match: re.Match[str]) -> str:
        what, name, thread = match[1], match[2], match[3]
        if threads:
            return given.setdefault(*_of_thread(match, program))
        if thread is not None:
            raise PincerError(f"{match[0]}: the program has no threads; write {what}({name})")
        if what != "at" and name not in program.procedures:
            raise PincerError(f"{what}({name}): the program has no function `{name}` that is called")
        return given.setdefault(f"{what} {name}", f"__pincer_{what}_{_in_names(name)}")

    def local(match: re.Match[str]) -> str:
        function, name = match[1], match[2]
        if function not in program.procedures:
            return match[0]
        if threads:
            raise PincerError(f"{match[0]}: {_WITH_THREADS}; copy it into a global variable")
        return given.setdefault(ObservedLocal(function, name), f"__pincer_in_{function}_{name}")

    written = _LOCAL.sub(local, _MOMENT.sub(moment, predicate))
    parameters = [
        f"int {name}" if isinstance(one, str) else f"{variable_of(program, one).type} {name}"
        for one, name in given.items()
    ]
    called = f"{_NAME}{number}"
    body = f"{{ return !!({written}\n); }}"
    text = f'\n#line 1 "{FILE}"\nstatic int {called}({", ".join(parameters) or "void"}) {body}\n'
    return Observer(called, text, tuple(given))


def lines_of(made: Observer) -> Iterator[tuple[str, int]]:
    """The lines that a predicate speaks of."""
    for one in made.given:
        if isinstance(one, str) and ":" in one:
            file, _, line = one.removeprefix("at ").rpartition(":")
            yield file, int(line)


def _in_names(place: str) -> str:
    """A place as a part of a name; places that differ have different ones."""
    return "".join(c if c.isalnum() else f"_{ord(c)}_" for c in place) if ":" in place else place


def _of_thread(match: re.Match[str], program: ControlFlowProgram) -> tuple[str, str]:
    """What stands for a thread that is at a label, and the name of the parameter."""
    what, label, thread = match[1], match[2], match[3] or ""
    if what != "at" or ":" in label:
        raise PincerError(f"{match[0]}: {_WITH_THREADS}; put a label there and write at(LABEL, THREAD)")
    if thread and not thread.isdecimal() and thread not in program.procedures:
        raise PincerError(f"{match[0]}: `{thread}` is neither the number of a thread nor a function that one runs")
    return f"at {label} {thread}".strip(), f"__pincer_at_{label}_by_{thread}"


def variable_of(program: ControlFlowProgram, local: ObservedLocal) -> SourceVariable:
    """The one variable that is meant; there is none for recursive functions, whose activations have one each."""
    shown = f"{local.function}.{local.name}"
    if local.function in on_cycles(program.procedures, program.callees):
        raise PincerError(f"{shown}: `{local.function}` is recursive, so it may have several `{local.name}` at a time")
    known = [item for item in program.variables if (item.scope, item.name) == (local.function, local.name)]
    if not known:
        own = sorted({item.name for item in program.variables if item.scope == local.function})
        raise PincerError(f"{shown}: `{local.function}` has no such variable; it has {', '.join(own) or 'none'}")
    if len(known) > 1:
        raise PincerError(f"{shown}: `{local.function}` has several variables of this name; rename one of them")
    if "[" in known[0].type or "struct" in known[0].type or "union" in known[0].type:
        raise PincerError(f"{shown}: only numbers and pointers can be watched, and this is a {known[0].type}")
    return known[0]


def look(program: ControlFlowProgram, made: Observer, predicate: str) -> StateLook:
    """What the function of a predicate says, as a term. Raises `PincerError` where it changes anything."""
    procedure = program.procedures[made.name]
    pairs = list(zip(procedure.parameters, made.given, strict=True))
    condition = disjunction(*_ways(procedure, predicate))
    return StateLook(
        condition,
        {register: one for register, one in pairs if isinstance(one, str)},
        {register: one for register, one in pairs if isinstance(one, ObservedLocal)},
        any(isinstance(edge.label, Check) for edge in procedure.edges),
    )


def _ways(procedure: Procedure, predicate: str) -> Iterator[Term]:
    """For each way through the function, the condition of going it and of returning something else than zero."""
    assert procedure.result is not None
    waiting: list[tuple[int, dict[Term, Term], tuple[Term, ...]]] = [(procedure.entry, {}, ())]
    for _ in range(_MOST_WAYS * 64):
        if not waiting:
            return
        place, values, conditions = waiting.pop()
        if place == procedure.exit:
            result = values[procedure.result]
            nonzero = negate(equal(result, bitvectors.constant(0, bitvectors.width(result))))
            yield conjunction(*conditions, nonzero)
            continue
        for edge in procedure.outgoing.get(place, ()):
            match edge.label:
                case Assign(register, value) if not is_global(register):
                    waiting.append((edge.target, {**values, register: substitute(value, values)}, conditions))
                case Assume(condition) | Check(_, condition):
                    taken = substitute(condition, values)
                    if taken is not FALSE:
                        waiting.append((edge.target, values, (*conditions, taken)))
                # A predicate looks between steps: what it reads atomically, it reads as anything else.
                case Skip() | AtomicBegin() | AtomicEnd():
                    waiting.append((edge.target, values, conditions))
                case _:
                    raise _refused(edge.label, predicate)
    raise PincerError(f"{{{predicate}}} has too many cases; write it in several pairs of braces")


def _refused(label: Label, predicate: str) -> PincerError:
    """What is wrong with a predicate that takes such a step."""
    if isinstance(label, Input) and label.source in WHERE_OBJECTS_LIE:
        return PincerError(
            f"{{{predicate}}} depends on where objects lie in memory, which is up to compilers; compare pointers that "
            "lead into one object, or the elements they point to"
        )
    return PincerError(
        f"{{{predicate}}} must not have effects: a predicate looks at the state, without calls, assignments and inputs"
    )


def said_at(seen: StateLook, moment: str, shadows: Mapping[ObservedLocal, tuple[Term, Term]]) -> Term:
    """What a predicate says at one moment; `shadows` have the last value of each local and whether it has one."""
    values: dict[Term, Term] = {}
    for register, when in seen.moments.items():
        values[register] = bitvectors.constant(int(when == moment), bitvectors.width(register))
    inside: list[Term] = []
    for register, local in seen.locals.items():
        value, known = shadows[local]
        values[register] = value
        inside.append(equal(known, bitvectors.constant(1, bitvectors.width(known))))
    return conjunction(*inside, substitute(seen.condition, values))


def is_visible(predicate: str, program: ControlFlowProgram) -> bool:
    """Whether a predicate is about global variables only, so that it can be looked at everywhere."""
    return _MOMENT.search(predicate) is None and not any(
        match[1] in program.procedures for match in _LOCAL.finditer(predicate)
    )
