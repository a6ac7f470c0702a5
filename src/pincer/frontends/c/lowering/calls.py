"""Calls: of procedures, through pointers, of functions without a body, and the handlers that rules hang on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pincer.frontends.c.lowering.conditions import decide, unwritten
from pincer.frontends.c.lowering.conversions import NOTHING, convert, zero
from pincer.frontends.c.lowering.expressions import disturbs, note_order, quiet_value, value
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.long_jumps import pass_on
from pincer.frontends.c.lowering.memory import (
    assume_boolean,
    assume_booleans,
    check_access,
    copy_bytes,
    leaves,
    named_origin,
    spill,
)
from pincer.frontends.c.lowering.storage import enumerators
from pincer.frontends.c.lowering.values import MemoryPlace, Value, reads_memory
from pincer.frontends.c.lowering.variable_arguments import argument_block, takes_variable_arguments
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.agreement import is_alike
from pincer.frontends.c.semantics.context import Definition, Rule, by_name
from pincer.frontends.c.semantics.effects import touched
from pincer.frontends.c.semantics.symbols import FunctionName, plain_name
from pincer.frontends.c.semantics.tree import Expression, Written, bare
from pincer.frontends.c.semantics.types import VOID, CType, Floating, Function, Integer, Pointer, Record, is_scalar
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Call, Check, Input, InputKind, Store
from pincer.program.registers import is_local
from pincer.program.thread_labels import AtomicBegin, AtomicEnd


class Site(Struct, eq=False):
    """One call: the function's name and type, the arguments as written, the type of the call and whether it is used,
    maybe only for its sign."""

    frame: Frame
    node: Written
    name: str
    type: Function
    result: CType
    arguments: Sequence[Expression]
    wanted: bool
    only_sign: bool = False
    _values: list[Value] | None = field(default=None)

    def values(self) -> list[Value]:
        """The arguments' values, evaluated once."""
        if self._values is None:
            self._values = evaluated(self.frame, self.arguments)
        return self._values

    def pointer(self, number: int) -> Value:
        """An argument that must be a pointer: a plain 0 becomes the null pointer."""
        given = self.values()[number]
        return given if isinstance(given.type, Pointer) else convert(self.frame, given, Pointer(VOID))

    def spelled(self, number: int) -> str:
        """An argument as the programmer wrote it."""
        return source_text(self.arguments[number].written)

    def literal(self, number: int) -> str | None:
        """The text of an argument that is a string literal."""
        node = self.arguments[number] if number < len(self.arguments) else None
        if not isinstance(node, tree.Read) or not isinstance(node.place, tree.Text):
            return None
        return node.place.contents[:-1].decode(self.frame.unit.program.encoding, "surrogateescape")

    def run_effects(self) -> None:
        """Evaluate the arguments only as far as that takes steps."""
        if self._values is None:
            for argument in reversed(self.arguments):
                simple = _is_simple(argument) and not self.frame.unit.threaded
                if not simple and quiet_value(self.frame, argument) is None:
                    value(self.frame, argument)

    def input(self, source: str, type: CType, kind: InputKind = "external") -> Value:
        """Any value of the result's type, if it is used."""
        return any_value(self.frame, type, source, kind, self.node) if self.wanted else zero(self.frame, type)


SIGN_OF, EFFECTS_OF = "__sign_of_", "__effects_of_"
"""With the name of a library function behind it: a body of which only the sign of the result is right, and one without
a result."""

UNKNOWN = "?"
"""In the table of known functions: what lowers calls of functions that are not known."""

Handler: TypeAlias = Callable[[Site], Value | None]
"""The meaning of a function without a body; one that gives None leaves the call to the body, or to what is unknown."""


class Known(Struct, frozen=True):
    """A function that is known without a body. One that is `overriding` counts even when the program has a body.

    Programs use a `word` of a verifier or of the compiler without declaring it; other functions need a header.
    """

    lower: Handler
    result: Rule | None = None
    overriding: bool = False
    word: bool = False


def known(
    names: Iterable[str], lower: Handler, result: Rule | None = None, overriding: bool = False
) -> dict[str, Known]:
    """Functions with the same meaning."""
    return dict.fromkeys(names, Known(lower, result, overriding))


def words(
    names: Iterable[str], lower: Handler, result: Rule | None = None, overriding: bool = False
) -> dict[str, Known]:
    """Words of verifiers with the same meaning."""
    return dict.fromkeys(names, Known(lower, result, overriding, word=True))


def _is_simple(node: Expression) -> bool:
    return isinstance(node, tree.Number) or (
        isinstance(node, tree.Read) and isinstance(node.place, tree.Text | tree.Object | tree.Routine)
    )


def evaluated(frame: Frame, arguments: Sequence[Expression]) -> list[Value]:
    """Values of arguments, the last one first, as gcc does on x86; C leaves the order open.

    Each value is kept where an argument evaluated after it might disturb it; records are copied then.
    """
    for argument in arguments[:1]:
        note_order(frame, frame.unit.orders.operands(arguments), argument.written)
    results: list[Value] = []
    for argument in reversed(arguments):
        change = touched(argument)
        if change.acts:
            for i, kept in enumerate(results):
                if isinstance(kept.type, Record):
                    results[i] = _copied(frame, kept, argument.written)
                elif disturbs(frame, change, kept.term):
                    results[i] = spill(frame, kept)
        results.append(value(frame, argument))
    return results[::-1]


def _copied(frame: Frame, record: Value, node: Written) -> Value:
    """A record in an object of its own."""
    size = frame.target.size(record.type) or 0
    check_access(frame, MemoryPlace(record.type, record.term, node, record.origin), size)
    address = frame.new_object(frame.unique("$copy"), size)
    copy_bytes(frame, address, record.term, record.type, node)
    return Value(record.type, address, named_origin(frame, address, size))


def any_value(frame: Frame, type: CType, source: str, kind: InputKind, node: Written | None) -> Value:
    """A fresh input of a type; records are filled piece by piece."""
    if type == VOID:
        return NOTHING
    if is_scalar(type):
        register = frame.temporary(frame.target.bits(type))
        signed = isinstance(type, Integer) and type.signed
        names = enumerators(type, frame.unit)
        frame.emit(Input(register, source, kind, signed, floating=isinstance(type, Floating), names=names), node)
        assume_boolean(frame, type, register, node)
        return Value(type, register)
    size = frame.target.size(type) or 0
    address = frame.new_object(frame.unique("$result"), size)
    for offset, part in leaves(type, frame.target):
        register = frame.temporary(8 * part)
        frame.emit(Input(register, f"member at {offset} of {source}", kind), node)
        frame.emit(Store(bitvectors.binary("bvadd", address, frame.address(offset)), register), node)
    assume_booleans(frame, type, address, node)
    return Value(type, address, named_origin(frame, address, size))


def call(frame: Frame, node: tree.Call, wanted: bool = True) -> Value:
    """A call; `wanted` is false when its result is thrown away."""
    arguments = tuple(bare(argument) for argument in node.arguments)
    callee = node.callee
    if isinstance(callee, FunctionName):
        only_sign = node in frame.only_signs
        return _direct(Site(frame, node.written, callee.name, callee.type, node.type, arguments, wanted, only_sign))
    return _through_pointer(frame, node, callee, arguments, wanted)


def _direct(site: Site) -> Value:
    hook = site.frame.unit.hooks.get(site.name) if site.frame.hooked else None
    if hook is None or not (hook.before or hook.after):
        return _perform(site)
    frame = site.frame
    site.wanted = site.wanted or hook.after is not None
    site.only_sign = site.only_sign and hook.after is None
    site._values = [_settled(frame, argument) for argument in site.values()]
    if hook.before:
        run_handler(frame, hook.before, site.values(), site.node)
    result = _perform(site)
    if hook.after:
        result = spill(frame, result)
        returned = [] if result.type == VOID else [result]
        run_handler(frame, hook.after, [*site.values(), *returned], site.node)
    return result


def _settled(frame: Frame, argument: Value) -> Value:
    """A value that no call can change."""
    local = all(map(is_local, argument.term.variables))
    return argument if local and not reads_memory(argument.term) else spill(frame, argument)


def run_handler(frame: Frame, name: str, arguments: Sequence[Value], node: Written | None) -> None:
    """Call a rule's handler with as many of the values as it has parameters."""
    definition = frame.unit.program.definitions.get(name)
    if definition is None:
        raise frame.unit.error(f"the handler `{name}` is not defined", node)
    given = zip(definition.type.parameters, arguments, strict=False)
    converted = tuple(convert(frame, argument, type).term for type, argument in given)
    frame.emit(Call(name, converted, None), node)


def _perform(site: Site) -> Value:
    """The call itself: a known function, a procedure of the program, or a function without a body."""
    program, functions = site.frame.unit.program, site.frame.unit.means.functions
    plain = plain_name(site.name)
    known_plainly = plain in program.library or plain in functions or plain in program.definitions
    if by_name(functions, site.name) is None and known_plainly:
        site.name = plain
    defined = program.definitions.get(site.name)
    found = None if site.name in program.foreign else by_name(functions, site.name)
    if site.name in program.undeclared:
        warn_of_undeclared(site, found, defined is not None)
    result = None
    if found is not None and (defined is None or found.overriding or site.name in program.library):
        result = found.lower(site)
    if result is None and defined is None and plain in program.library:
        site.name, defined = plain, program.definitions.get(plain)
    if result is None:
        result = _call_unknown(site) if defined is None else _call_procedure(site, defined)
    return convert(site.frame, result, site.result)


def _call_unknown(site: Site) -> Value:
    """A function without a body; one that does not return ends the program."""
    unit, program = site.frame.unit, site.frame.unit.program
    if site.name in program.unknown:
        site.run_effects()
        site.frame.unsupported(f"the second name {site.name} of another function", site.node)
        return zero(site.frame, site.type.result)
    if program.may_be_missing(site.name):
        site.run_effects()
        site.frame.unsupported(f"the weak function {site.name}, which need not exist", site.node)
        return zero(site.frame, site.type.result)
    if site.name.startswith("__builtin_"):
        site.run_effects()
        site.frame.unsupported(f"the function {site.name}", site.node)
        return zero(site.frame, site.type.result)
    last: Known = unit.means.functions[UNKNOWN]
    return last.lower(site) or zero(site.frame, site.type.result)


def warn_of_undeclared(site: Site, found: Known | None, defined: bool) -> None:
    """Warn of a function that is called without a declaration: compilers refuse that, or warn."""
    if site.name.startswith("__builtin_") or (found is not None and (found.word or site.name.startswith("__"))):
        return
    unit = site.frame.unit
    hint = ""
    if found is None and not defined:
        names = [name for name in (*unit.means.functions, *unit.program.usage.arity) if not name.startswith("__")]
        close = get_close_matches(site.name, names, 1, 0.8)
        hint = f" (is `{close[0]}` meant?)" if close else ""
    unit.warn(f"`{site.name}` is not declared{hint}, and called", unit.program.undeclared[site.name])


def _call_procedure(site: Site, definition: Definition) -> Value:
    if site.name in site.frame.unit.program.conflicting:
        site.run_effects()
        site.frame.unsupported(f"the function {site.name}, which files declare in different ways", site.node)
        return zero(site.frame, site.type.result)
    atomic = site.name.startswith("__VERIFIER_atomic_")
    frame = site.frame
    arguments = site.values()
    if atomic:
        frame.emit(AtomicBegin(), site.node)
    result = enter(frame, _leaner(site) or definition, arguments, site.node, site.wanted)
    if atomic:
        frame.emit(AtomicEnd(), site.node)
    return result


def _leaner(site: Site) -> Definition | None:
    """The body of a library function that does no more than is asked for: only what it does, or only the sign of what
    it returns. The whole one picks failures and values that C leaves open, and that nobody looks at."""
    program = site.frame.unit.program
    if site.name not in program.library or site.name in site.frame.unit.hooks:
        return None
    part = None if site.wanted and not site.only_sign else SIGN_OF if site.wanted else EFFECTS_OF
    return None if part is None else program.definitions.get(part + site.name)


def enter(frame: Frame, definition: Definition, arguments: Sequence[Value], node: Written, wanted: bool) -> Value:
    """Call a procedure: arguments converted, missing ones undefined; a record is returned through an address."""
    passed: list[Term] = []
    for number, type in enumerate(definition.type.parameters):
        if number < len(arguments):
            passed.append(_passed(frame, arguments[number], type, node))
        else:
            passed.append(any_value(frame, type, "missing argument", "undefined", node).term)
    if takes_variable_arguments(frame.unit.program, definition):
        passed.append(argument_block(frame, arguments[len(passed) :], node))
    result = definition.type.result
    if isinstance(result, Record):
        size = frame.target.size(result) or 0
        address = frame.new_object(frame.unique("$result"), size)
        frame.emit(Call(definition.name, (address, *passed), None), node)
        pass_on(frame, definition.name, node)
        return Value(result, address, named_origin(frame, address, size))
    if result == VOID or not wanted:
        frame.emit(Call(definition.name, tuple(passed), None), node)
        pass_on(frame, definition.name, node)
        return zero(frame, result)
    register = frame.temporary(frame.target.bits(result))
    frame.emit(Call(definition.name, tuple(passed), register), node)
    pass_on(frame, definition.name, node)
    return Value(result, register)


def _passed(frame: Frame, argument: Value, type: CType, node: Written) -> Term:
    """An argument as the callee gets it: a record by its address, which the callee copies at once."""
    if isinstance(type, Record):
        if not is_alike(argument.type, type):
            if type.kind == "union" and not isinstance(argument.type, Record):
                frame.unsupported("an argument for a transparent union", node)
                return frame.address(0)
            frame.unsupported("a structure of another type as an argument", node)
            return frame.address(0)
        place = MemoryPlace(type, argument.term, node, argument.origin)
        check_access(frame, place, frame.target.size(type) or 0)
        return argument.term
    return convert(frame, argument, type).term


def _through_pointer(
    frame: Frame, node: tree.Call, callee: Expression, arguments: Sequence[Expression], wanted: bool
) -> Value:
    """One branch for each function that the pointer may point to."""
    pointer = value(frame, callee)
    assert isinstance(pointer.type, Pointer) and isinstance(pointer.type.target, Function)
    type = pointer.type.target
    if any(touched(argument).acts for argument in arguments):
        pointer = spill(frame, pointer)
    given = [_settled(frame, argument) for argument in evaluated(frame, arguments)]
    matching = _candidates(frame, type, len(given))
    hits = [terms.equal(pointer.term, frame.unit.function_address(name)) for name in matching]
    many = f"{len(given)} argument{'' if len(given) == 1 else 's'}"
    message = f"{source_text(callee.written)} points to no function that takes {many}"
    frame.emit(Check("call", terms.disjunction(*hits), message), node.written)
    if not matching:
        frame.builder.at(frame.builder.location())
        return zero(frame, type.result)
    site = Site(frame, node.written, "", type, type.result, arguments, wanted, _values=given)
    return _one_of(site, list(zip(matching, hits, strict=True)))


def _candidates(frame: Frame, type: Function, arguments: int) -> list[str]:
    """Functions whose address is used, with this many parameters and a result passed in the same way."""
    found = []
    for name in frame.unit.program.usage.candidates(arguments):
        symbol = frame.unit.program.functions.get(name)
        if isinstance(symbol, FunctionName):
            result = symbol.type.result
            if is_alike(result, type.result) or not (isinstance(result, Record) or isinstance(type.result, Record)):
                found.append(symbol.name)
    return found


def _one_of(site: Site, matching: list[tuple[str, Term]]) -> Value:
    """The call of one of these functions, each under its condition; the last needs none."""
    frame, node, type = site.frame, site.node, site.type.result
    bits = frame.target.pointer_bits if isinstance(type, Record) else frame.target.bits(type)
    result = frame.temporary(bits) if site.wanted and type != VOID else None
    join = frame.builder.location()
    position = frame.unit.position(node)
    for name, hit in matching:
        following = frame.builder.location()
        if hit is not terms.TRUE and name != matching[-1][0]:
            here = frame.builder.location()
            decide(frame, hit, unwritten(here, following, position))
            frame.builder.at(here)
        symbol = frame.unit.program.functions.get(name)
        assert isinstance(symbol, FunctionName)
        chosen = replace(site, name=name, type=symbol.type, result=symbol.type.result, _values=list(site.values()))
        returned = _direct(chosen)
        if result is not None:
            if returned.type == VOID:
                returned = any_value(frame, type, f"result of {name}", "undefined", node)
            frame.emit(Assign(result, convert(frame, returned, type).term), node)
        frame.builder.jump(join, position)
        frame.builder.at(following)
    frame.builder.at(join)
    return zero(frame, type) if result is None else Value(type, result)
