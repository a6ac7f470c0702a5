"""Calls that a function without a body makes: each function that it is handed directly, once, with some arguments.

That finds what goes wrong there; nothing is said to hold, because there may be more calls, later ones among them.
Numbers are any, pointers are those that are handed over with it, where it is clear which; otherwise there is no call.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import Site, any_value, enter
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import convert
from pincer.frontends.c.lowering.memory import spill
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.context import Definition, TypedProgram, by_name
from pincer.frontends.c.semantics.types import VOID, CType, Function, Integer, Pointer
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assume, Input
from pincer.program.graphs import reachable

_MOST_ARGUMENTS = 6


def call_handed_functions(site: Site) -> None:
    """Perhaps call what is handed directly, where that leads to no function that is active already."""
    if site.frame.unit.threaded:
        return
    for number, argument in enumerate(site.arguments[:_MOST_ARGUMENTS]):
        if isinstance(argument.type, Pointer) and isinstance(argument.type.target, Function):
            _perhaps_call(site, number)


def _perhaps_call(site: Site, number: int) -> None:
    frame, program = site.frame, site.frame.unit.program
    candidates = [
        program.definitions[name]
        for name in program.usage.arity
        if name in program.usage.addressed and name in program.definitions and _is_apart(site, name)
    ]
    candidates = [found for found in candidates if all(_can_be_passed(site, type) for type in found.type.parameters)]
    if not candidates:
        return
    pointer = spill(frame, site.values()[number])
    choice = frame.temporary(8)
    frame.emit(Input(choice, f"call of argument {number} by {site.name}", "external"), site.node)
    frame.emit(Assume(bitvectors.compare("bvule", choice, bitvectors.constant(1, 8))), site.node)
    with only_if(frame, terms.equal(choice, bitvectors.constant(1, 8)), site.node):
        for found in candidates:
            is_it = terms.equal(pointer.term, frame.unit.function_address(found.name))
            with only_if(frame, is_it, site.node):
                _call(site, found)


def _call(site: Site, found: Definition) -> None:
    given = [_passed(site, type) for type in found.type.parameters]
    enter(site.frame, found, given, site.node, wanted=False)


def _passed(site: Site, type: CType) -> Value:
    if not isinstance(type, Pointer):
        return any_value(site.frame, type, f"number passed by {site.name}", "external", site.node)
    frame = site.frame
    [handed] = _fitting(site, type)
    which = frame.temporary(8)
    frame.emit(Input(which, f"argument passed by {site.name}", "external"), site.node)
    frame.emit(Assume(terms.equal(which, bitvectors.constant(handed + 1, 8))), site.node)
    return convert(frame, site.values()[handed], type)


def _fitting(site: Site, type: Pointer) -> list[int]:
    """The pointers to data among the arguments that a parameter is meant for: those of its type, any for `void *`."""
    return [
        which
        for which, argument in enumerate(site.arguments[:_MOST_ARGUMENTS])
        if isinstance(argument.type, Pointer)
        and not isinstance(argument.type.target, Function)
        and (type.target == VOID or argument.type == type)
    ]


def _can_be_passed(site: Site, type: CType) -> bool:
    """Whether there is no doubt what a parameter gets: any number, or the one pointer that fits it."""
    return isinstance(type, Integer) or (isinstance(type, Pointer) and len(_fitting(site, type)) == 1)


def _is_apart(site: Site, name: str) -> bool:
    """Whether a function comes neither back to the caller nor to other functions without a body."""
    program = site.frame.unit.program

    def following(function: str) -> set[str]:
        mentions = program.usage.functions[function]
        calls = set(mentions.calls) | (set(program.usage.addressed) if mentions.indirect else set())
        return {other for other in calls if other in program.usage.functions}

    below = reachable([name], following)
    if site.frame.name in below:
        return False
    return not any(_calls_unknown(program, site, function) for function in below)


def _calls_unknown(program: TypedProgram, site: Site, function: str) -> bool:
    known = site.frame.unit.means.functions
    return any(
        name not in program.usage.functions and by_name(known, name) is None
        for name in program.usage.functions[function].calls
    )
