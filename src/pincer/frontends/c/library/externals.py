"""Functions without a body: what is assumed of them, and what they may write where everything is to be tried.

By default they write nothing, as in SV-COMP; the verdict itself says that it rests on it. One that is handed functions
may call them, now or later: nothing is said to hold then. With `--externals havoc` they write all that they can reach;
what they could reach through pointers in memory is unsupported by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pincer.frontends.c.library.c_library import of_the_c_library
from pincer.frontends.c.library.callbacks import call_handed_functions
from pincer.frontends.c.lowering.any_contents import ContentsOrigin, any_contents
from pincer.frontends.c.lowering.calls import UNKNOWN, Known, Site, any_value
from pincer.frontends.c.lowering.conversions import convert, zero
from pincer.frontends.c.lowering.memory import assign, spill
from pincer.frontends.c.lowering.storage import locate
from pincer.frontends.c.lowering.values import RegisterPlace, Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import VOID, Array, CType, Function, Pointer, Record
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Halt
from pincer.program.property import EVERY_KIND, Assumption

Kind: TypeAlias = type[Function] | type[Pointer]
WRITE_NOTHING = "if functions without a body write nothing"
KEEP_NOTHING = "if functions without a body keep no pointers"


def _external(site: Site) -> Value:
    """A call of a function without a body."""
    unit, program = site.frame.unit, site.frame.unit.program
    returns = site.name not in program.noreturn
    found = of_the_c_library(site) if returns else None
    if found is not None:
        return found
    handed = [argument for argument in site.arguments if _holds(argument.type, Function, set())]
    may_call = bool(handed and program.usage.addressed & program.definitions.keys())
    if may_call or program.externals_write:
        site.values()
    else:
        site.run_effects()
    if may_call:
        place = unit.position(site.node)
        what = f"`{site.name}` ({place}), which has no body here, calls no function that it is handed, or only once"
        unit.assume(Assumption(what, leaves_open=EVERY_KIND))
        call_handed_functions(site)
    if not returns:
        site.frame.end(Halt(site.name), site.node)
        return zero(site.frame, site.type.result)
    if program.externals_write:
        _write_anything(site)
    unit.assume(_assumed(site))
    # A compiled test is given what each call returns, whether that is used or not.
    site.wanted = True
    return site.input(site.name, site.type.result)


def _assumed(site: Site) -> Assumption:
    """What a verdict rests on where this function is called."""
    program = site.frame.unit.program
    if site.name in program.undeclared:
        where = program.undeclared[site.name]
        what = f"the function `{site.name}`, which is not declared ({where}), asserts nothing and touches no memory"
        return Assumption(what, leaves_open=EVERY_KIND)
    begin = f"`{site.name}` has no body here: it returns" + (" any value" if site.type.result != VOID else "")
    pointers = any(isinstance(argument.type, Pointer) for argument in site.arguments)
    if program.externals_write:
        what = f"{begin}, writes what it can reach, and keeps no pointer for later"
        return Assumption(what, clause=KEEP_NOTHING if pointers else "")
    if not pointers and not any(True for _ in _shared_variables(site)):
        return Assumption(f"{begin} and touches no memory")
    what = f"{begin}, and writes nothing through the pointers that it is given, nor to variables that it may know"
    return Assumption(what, clause=WRITE_NOTHING)


def _write_anything(site: Site) -> None:
    """All variables with external linkage, and the objects of the pointers that are handed over, take any values."""
    frame = site.frame
    for variable in _shared_variables(site):
        if _holds(variable.type, Pointer, set()):
            frame.unsupported(f"what {site.name} may write through {variable.name}", site.node)
            return
        source = f"{variable.name} by {site.name}"
        found = locate(frame.unit, variable)
        if found.register is not None:
            given = any_value(frame, variable.type, source, "external", site.node)
            assign(frame, RegisterPlace(variable.type, found.register), given, site.node)
        elif found.address is not None:
            size = frame.address(frame.target.size(variable.type) or 0)
            any_contents(
                frame, Value(Pointer(variable.type), found.address), size, ContentsOrigin(source, "external"), site.node
            )
    for number, argument in enumerate(site.arguments):
        if isinstance(argument.type, Pointer) and not _is_text(argument):
            _write_object(site, number, argument.type)


def _write_object(site: Site, number: int, type: Pointer) -> None:
    frame, target = site.frame, type.target
    if isinstance(target, Function):
        return
    if target == VOID or _holds(target, Pointer, set()) or not frame.target.size(target):
        frame.unsupported(f"what {site.name} may write through {site.spelled(number)}", site.node)
        return
    pointer = convert(frame, site.values()[number], type)
    named = f"argument {number} of {site.name}"
    whole = _whole_size(site, number)
    if whole is not None:
        any_contents(frame, pointer, frame.address(whole), ContentsOrigin(named, "external"), site.node)
        return
    pointer = spill(frame, pointer)
    nothing, room = frame.address(0), bitvectors.room(pointer.term)
    offset = frame.unit.layout.offset(pointer.term)
    inside = bitvectors.compare("bvule", offset, room)
    before = spill(frame, Value(frame.target.size_type, terms.conditional(inside, offset, nothing))).term
    rest = terms.conditional(inside, bitvectors.binary("bvsub", room, before), nothing)
    any_contents(frame, pointer, rest, ContentsOrigin(named, "external"), site.node)
    start = Value(type, bitvectors.binary("bvsub", pointer.term, before))
    any_contents(frame, start, before, ContentsOrigin(f"what is before {named}", "external"), site.node)


def _whole_size(site: Site, number: int) -> int | None:
    """The size of the object that an argument is the address of, where that is written."""
    argument = site.arguments[number]
    if not isinstance(argument, tree.Address) or not isinstance(argument.place, tree.Object):
        return None
    return site.frame.target.size(argument.place.variable.type)


def _is_text(argument: tree.Expression) -> bool:
    return isinstance(argument, tree.Read) and isinstance(argument.place, tree.Text)


def _holds(type: CType, wanted: Kind, seen: set[int]) -> bool:
    """Whether something of a kind is reachable by types from a value: in members, elements, and through pointers."""
    if isinstance(type, wanted):
        return True
    match type:
        case Pointer(target):
            return _holds(target, wanted, seen)
        case Array(element):
            return _holds(element, wanted, seen)
        case Record() if id(type) not in seen:
            seen.add(id(type))
            return any(_holds(member.type, wanted, seen) for member in type.members)
    return False


def _shared_variables(site: Site) -> Iterator[Variable]:
    """The variables that functions of other files may know: those with external linkage that the program uses."""
    program = site.frame.unit.program
    used = set[str]().union(*(program.usage.functions[name].names for name in program.usage.reachable))
    for name in sorted(used):
        found = program.scope.find(name)
        if not isinstance(found, Variable) or found.owner is not None or found.const:
            continue
        if "static" not in (getattr(found.node, "storage", None) or ()):
            yield found


FUNCTIONS = {UNKNOWN: Known(_external)}
