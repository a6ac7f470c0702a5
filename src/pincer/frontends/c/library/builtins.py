"""Functions with a meaning of their own: the verifier's interface, the ends of the program, input and output."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.frontends.c.lowering.calls import Handler, Site, any_value
from pincer.frontends.c.lowering.conditions import UNWRITTEN, branch
from pincer.frontends.c.lowering.conversions import NOTHING, convert, number, zero
from pincer.frontends.c.lowering.expressions import quiet_value, value
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.tree import Expression
from pincer.frontends.c.semantics.types import INT, Integer, is_scalar
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume, Fail, FailKind, Halt

_FAILURES = ("reach_error", "__VERIFIER_error", "__assert_perror_fail")
_ASSERTIONS = {"__assert_fail": 0, "__assert": 0, "__assert_rtn": 3, "__assert_func": 3}
_HALTS = (
    "exit", "_exit", "_Exit", "abort", "quick_exit", "__builtin_unreachable", "__builtin_trap", "__builtin_abort",
    "__builtin_exit",
)  # fmt: skip


def _failure(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Fail(f"{site.name}() is called", FailKind.ERROR_FUNCTION), site.node)
    return zero(site.frame, site.type.result)


def _failed_assertion(site: Site) -> Value:
    site.run_effects()
    which = _ASSERTIONS[site.name]
    text = literal_text(site, which) if which < len(site.arguments) else ""
    site.frame.end(Fail(f"assertion {text or '?'} fails"), site.node)
    return zero(site.frame, site.type.result)


def literal_text(site: Site, number: int) -> str:
    """What a string literal says, or another expression as it is written."""
    found = site.literal(number)
    return (
        site.spelled(number) if found is None else found.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    )


def _assertion(site: Site) -> Value:
    """The header's `assert`, which compares its expression with zero."""
    condition = asserted = site.arguments[0]
    if isinstance(asserted, tree.Binary) and asserted.op == "!=":
        asserted = asserted.left
    _assert(site, condition, Fail(f"assertion {source_text(asserted.written)} fails"))
    return NOTHING


def _assertion_of_a_rule(site: Site) -> Value:
    _assert(site, site.arguments[0], Fail(literal_text(site, 1), FailKind.RULE))
    return NOTHING


def _assert(site: Site, condition: Expression, failure: Fail) -> None:
    frame = site.frame
    holds, fails = frame.builder.location(), frame.builder.location()
    branch(frame, condition, holds, fails, frame.unit.position(site.node), UNWRITTEN)
    frame.builder.at(fails)
    frame.end(failure, site.node)
    frame.builder.at(holds)


def _assumption(site: Site) -> Value:
    frame = site.frame
    holds, nowhere = frame.builder.location(), frame.builder.location()
    branch(frame, site.arguments[0], holds, nowhere, frame.unit.position(site.node), UNWRITTEN)
    frame.builder.at(holds)
    return NOTHING


def _nondet(site: Site) -> Value | None:
    frame = site.frame
    kind = site.name.removeprefix("__VERIFIER_nondet").strip("_")
    type = site.result
    if not is_scalar(type) or frame.target.bits(type) > 64:
        frame.unsupported(f"inputs by {site.name}", site.node)
        return zero(frame, type)
    given = any_value(frame, type, site.name, "nondet", site.node)
    if kind == "bool" and isinstance(type, Integer) and not type.boolean:
        one = bitvectors.constant(1, type.bits)
        frame.emit(Assume(bitvectors.compare("bvule", given.term, one)), site.node)
    return given


def _halt(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Halt(site.name), site.node)
    return zero(site.frame, site.type.result)


def _time(site: Site) -> Value:
    """`time(&t)` also stores its result; `time(0)` does not."""
    given = quiet_value(site.frame, site.arguments[0]) if site.arguments else None
    if given is None or bitvectors.constant_value(given.term) != 0:
        site.frame.unsupported("time with an argument", site.node)
    return site.input(site.name, site.type.result)


def _end_of_arguments(site: Site) -> Value:
    return NOTHING


def _hint(site: Site) -> Value:
    given = site.values()[0]
    return given if site.name == "__builtin_assume_aligned" else convert(site.frame, given, site.frame.target.long)


def _is_constant(site: Site) -> Value:
    known = quiet_value(site.frame, site.arguments[0])
    return number(int(known is not None and known.term.op == "bvconst"), INT)


def _object_size(site: Site) -> Value:
    """Unknown to the compiler: the largest size, or zero when the smallest is asked for."""
    kind = bitvectors.constant_value(value(site.frame, site.arguments[1]).term)
    return number(-1 if kind in (0, 1) else 0, site.frame.target.size_type)


def _special_float(site: Site) -> Value:
    site.frame.unsupported("floating-point arithmetic", site.node)
    return zero(site.frame, site.result)


FUNCTIONS: Mapping[str, Handler] = {
    **dict.fromkeys(_FAILURES, _failure),
    **dict.fromkeys(_ASSERTIONS, _failed_assertion),
    "__pincer_assert": _assertion,
    "__pincer_assert_message": _assertion_of_a_rule,
    **dict.fromkeys(("__VERIFIER_assume", "assume_abort_if_not", "__builtin_assume"), _assumption),
    **dict.fromkeys(("__VERIFIER_nondet_*", "__VERIFIER_nondet", "__SMACK_nondet"), _nondet),
    **dict.fromkeys(_HALTS, _halt),
    "time": _time,
    **dict.fromkeys(("va_end", "__builtin_va_end"), _end_of_arguments),
    **dict.fromkeys(("__builtin_expect", "__builtin_expect_with_probability", "__builtin_assume_aligned"), _hint),
    "__builtin_constant_p": _is_constant,
    **dict.fromkeys(("__builtin_object_size", "__builtin_dynamic_object_size"), _object_size),
    **dict.fromkeys(
        (
            "__builtin_huge_val",
            "__builtin_inf",
            "__builtin_nan",
            "__builtin_huge_valf",
            "__builtin_inff",
            "__builtin_nanf",
        ),
        _special_float,
    ),
}
OVERRIDING = frozenset((*_FAILURES, *_ASSERTIONS))
