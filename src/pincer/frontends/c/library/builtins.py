"""Functions with a meaning of their own: the verifier's interface, the ends of the program, input and output."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.lowering.calls import Site, any_value, builtin
from pincer.frontends.c.lowering.conditions import UNWRITTEN, branch
from pincer.frontends.c.lowering.conversions import NOTHING, convert, number, zero
from pincer.frontends.c.lowering.expressions import quiet_value, value, values
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics import literals
from pincer.frontends.c.semantics.declarations import basic_type, type_name
from pincer.frontends.c.semantics.types import INT, VOID, CType, Integer, Pointer, is_scalar
from pincer.frontends.c.syntax import nodes
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume, Fail, FailKind, Halt

_KINDS = {
    "bool": "_Bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "short": "short",
    "ushort": "unsigned short", "int": "int", "uint": "unsigned int", "unsigned": "unsigned int", "long": "long",
    "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long", "u8": "unsigned char",
    "u16": "unsigned short", "u32": "unsigned int", "U8": "unsigned char", "U16": "unsigned short",
    "U32": "unsigned int", "float": "float", "double": "double", "loff_t": "long", "sector_t": "unsigned long",
    "size_t": "unsigned long", "pthread_t": "unsigned long",
}  # fmt: skip
_FAILURES = ("reach_error", "__VERIFIER_error", "__assert_perror_fail")
_ASSERTIONS = {"__assert_fail": 0, "__assert": 0, "__assert_rtn": 3, "__assert_func": 3}
_HALTS = (
    "exit", "_exit", "_Exit", "abort", "quick_exit", "__builtin_unreachable", "__builtin_trap", "__builtin_abort",
    "__builtin_exit",
)  # fmt: skip


@builtin(*_FAILURES, overriding=True)
def _failure(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Fail(f"{site.name}() is called", FailKind.ERROR_FUNCTION), site.node)
    return zero(site.frame, site.type.result)


@builtin(*_ASSERTIONS, overriding=True)
def _failed_assertion(site: Site) -> Value:
    site.run_effects()
    which = _ASSERTIONS[site.name]
    text = literal_text(site, site.arguments[which]) if which < len(site.arguments) else ""
    site.frame.end(Fail(f"assertion {text or '?'} fails"), site.node)
    return zero(site.frame, site.type.result)


def literal_text(site: Site, node: c_ast.Node) -> str:
    if not isinstance(node, c_ast.Constant) or "string" not in node.type:
        return source_text(node)
    contents, _ = literals.string(node.value, site.frame.target)
    return contents[:-1].decode("utf-8", "replace")


@builtin("__pincer_assert")
def _assertion(site: Site) -> Value:
    """The header's `assert`, which compares its expression with zero."""
    condition = written = site.arguments[0]
    if isinstance(written, c_ast.BinaryOp) and written.op == "!=":
        written = written.left
    _assert(site, condition, Fail(f"assertion {source_text(written)} fails"))
    return NOTHING


@builtin("__pincer_assert_message")
def _assertion_of_a_rule(site: Site) -> Value:
    _assert(site, site.arguments[0], Fail(literal_text(site, site.arguments[1]), FailKind.RULE))
    return NOTHING


def _assert(site: Site, condition: c_ast.Node, failure: Fail) -> None:
    frame = site.frame
    holds, fails = frame.builder.location(), frame.builder.location()
    branch(frame, condition, holds, fails, frame.unit.position(site.node), UNWRITTEN)
    frame.builder.at(fails)
    frame.end(failure, site.node)
    frame.builder.at(holds)


@builtin("__VERIFIER_assume", "assume_abort_if_not", "__builtin_assume")
def _assumption(site: Site) -> Value:
    frame = site.frame
    holds, nowhere = frame.builder.location(), frame.builder.location()
    branch(frame, site.arguments[0], holds, nowhere, frame.unit.position(site.node), UNWRITTEN)
    frame.builder.at(holds)
    return NOTHING


@builtin("__VERIFIER_nondet_*", "__VERIFIER_nondet", "__SMACK_nondet")
def _nondet(site: Site) -> Value | None:
    frame = site.frame
    kind = site.name.removeprefix("__VERIFIER_nondet").strip("_")
    declared = frame.scope.find(site.name) is not None
    type = site.type.result if declared else _kind_type(kind, frame)
    if not is_scalar(type) or frame.target.bits(type) > 64:
        frame.unsupported(f"inputs by {site.name}", site.node)
        return zero(frame, type)
    given = any_value(frame, type, site.name, "nondet", site.node)
    if kind == "bool" and isinstance(type, Integer) and not type.boolean:
        one = bitvectors.constant(1, type.bits)
        frame.emit(Assume(bitvectors.compare("bvule", given.term, one)), site.node)
    return given


def _kind_type(kind: str, frame: Frame) -> CType:
    """The result type by the function's name, for programs that do not declare it."""
    if kind in ("pointer", "pchar", "charp"):
        return Pointer(VOID)
    names = _KINDS.get(kind, kind.replace("_", " ")).split()
    return basic_type(names, frame.target) or INT


@builtin(*_HALTS)
def _halt(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Halt(site.name), site.node)
    return zero(site.frame, site.type.result)


@builtin("time")
def _time(site: Site) -> Value:
    """`time(&t)` also stores its result; `time(0)` does not."""
    given = quiet_value(site.frame, site.arguments[0]) if site.arguments else None
    if given is None or bitvectors.constant_value(given.term) != 0:
        site.frame.unsupported("time with an argument", site.node)
    return site.input(site.name, site.type.result)


@builtin("va_end", "__builtin_va_end")
def _end_of_arguments(site: Site) -> Value:
    return NOTHING


@values(nodes.VaArg)
def _next_argument(frame: Frame, node: nodes.VaArg) -> Value:
    frame.unsupported("arguments of a variadic function", node)
    return zero(frame, type_name(frame, node.type))


@values(nodes.LabelAddress)
def _label_address(frame: Frame, node: nodes.LabelAddress) -> Value:
    frame.unsupported("the address of a label", node)
    return zero(frame, Pointer(VOID))


@builtin("__builtin_expect", "__builtin_expect_with_probability", "__builtin_assume_aligned")
def _hint(site: Site) -> Value:
    given = site.values()[0]
    return given if site.name == "__builtin_assume_aligned" else convert(site.frame, given, site.frame.target.long)


@builtin("__builtin_constant_p")
def _is_constant(site: Site) -> Value:
    known = quiet_value(site.frame, site.arguments[0])
    return number(int(known is not None and known.term.op == "bvconst"), INT)


@builtin("__builtin_object_size", "__builtin_dynamic_object_size")
def _object_size(site: Site) -> Value:
    """Unknown to the compiler: the largest size, or zero when the smallest is asked for."""
    kind = bitvectors.constant_value(value(site.frame, site.arguments[1]).term)
    return number(-1 if kind in (0, 1) else 0, site.frame.target.size_type)


@builtin("__builtin_choose_expr")
def _choose(site: Site) -> Value:
    known = bitvectors.constant_value(value(site.frame.aside(), site.arguments[0]).term)
    return value(site.frame, site.arguments[1 if known else 2])


@builtin(
    "__builtin_huge_val", "__builtin_inf", "__builtin_nan", "__builtin_huge_valf", "__builtin_inff", "__builtin_nanf"
)
def _special_float(site: Site) -> Value:
    site.frame.unsupported("floating-point arithmetic", site.node)
    return zero(site.frame, INT)
