"""The interface of verifiers: failures, assertions, assumptions, inputs.

The words of SV-COMP, CBMC and ESBMC, and `assert` without its header, are understood with declarations or without.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.calls import Site, any_value, words
from pincer.frontends.c.lowering.conditions import branch, unwritten
from pincer.frontends.c.lowering.conversions import NOTHING, zero
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.basic_types import basic_type
from pincer.frontends.c.semantics.context import Use
from pincer.frontends.c.semantics.tree import Expression
from pincer.frontends.c.semantics.types import INT, UNSIGNED_LONG_LONG, VOID, CType, Integer, Pointer, is_scalar
from pincer.frontends.c.syntax.call_text import written_call
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume, Fail, FailKind

_FAILURES = ("reach_error", "__VERIFIER_error", "__assert_perror_fail")
_KINDS = {
    "bool": "_Bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "short": "short",
    "ushort": "unsigned short", "int": "int", "uint": "unsigned int", "unsigned": "unsigned int", "long": "long",
    "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long", "u8": "unsigned char",
    "u16": "unsigned short", "u32": "unsigned int", "U8": "unsigned char", "U16": "unsigned short",
    "U32": "unsigned int", "float": "float", "double": "double", "loff_t": "long", "sector_t": "unsigned long",
    "size_t": "unsigned long", "int128": "__int128", "uint128": "unsigned __int128",
    "pthread_t": "unsigned long",
}  # fmt: skip
_WORDS_OF_ASSERTIONS = ("assert", "pincer_assert", "klee_assert", "__goblint_check", "__goblint_assert")
_ASSERTIONS = {"__assert_fail": 0, "__assert": 0, "__assert_rtn": 3, "__assert_func": 3}


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
    if found is None:
        return site.spelled(number)
    return found.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _assertion(site: Site) -> Value:
    """The header's `assert`, which compares its expression with zero."""
    condition = asserted = site.arguments[0]
    if isinstance(asserted, tree.Binary) and asserted.op == "!=":
        asserted = asserted.left
    _assert(site, condition, Fail(f"assertion {_stated(site, source_text(asserted.written))} fails"))
    return NOTHING


def _stated(site: Site, expanded: str) -> str:
    """What is asserted, in the words of the file: a call of a macro that is not one of ours is shown whole."""
    call = written_call(site.frame.unit.position(site.node), _WORDS_OF_ASSERTIONS)
    if call is None:
        return expanded
    name, arguments = call
    return arguments if name in _WORDS_OF_ASSERTIONS or name == site.name else f"{name}({arguments})"


def _assertion_of_a_rule(site: Site) -> Value:
    _assert(site, site.arguments[0], Fail(literal_text(site, 1), FailKind.RULE))
    return NOTHING


def _assert(site: Site, condition: Expression, failure: Fail) -> None:
    frame = site.frame
    holds, fails = frame.builder.location(), frame.builder.location()
    branch(frame, condition, unwritten(holds, fails, frame.unit.position(site.node)))
    frame.builder.at(fails)
    frame.end(failure, site.node)
    frame.builder.at(holds)


def assumption(site: Site) -> Value:
    """Executions in which the argument is zero end here."""
    frame = site.frame
    holds, nowhere = frame.builder.location(), frame.builder.location()
    branch(frame, site.arguments[0], unwritten(holds, nowhere, frame.unit.position(site.node)))
    frame.builder.at(holds)
    return NOTHING


def _plain_assertion(site: Site) -> Value | None:
    """An assertion that is a call: of `assert` where its header is missing, of another verifier's word."""
    if not site.arguments:
        return None
    _assert(site, site.arguments[0], Fail(f"assertion {_stated(site, site.spelled(0))} fails"))
    return zero(site.frame, site.type.result)


def _kind_of_input(name: str) -> str:
    """What the name of a function that delivers an input says of its type."""
    return name[name.index("nondet") + len("nondet") :].strip("_")


def _nondet(site: Site) -> Value | None:
    frame = site.frame
    kind = _kind_of_input(site.name)
    type = site.result
    if not is_scalar(type) and not site.name.startswith("__"):
        return None
    site.run_effects()
    if not is_scalar(type) or frame.target.bits(type) > 128:
        frame.unsupported(f"inputs by {site.name}", site.node)
        return zero(frame, type)
    if isinstance(type, Integer) and type.bits > 64:
        return _wide_input(site, type)
    given = any_value(frame, type, site.name, "nondet", site.node)
    if kind == "bool" and isinstance(type, Integer) and not type.boolean:
        one = bitvectors.constant(1, type.bits)
        frame.emit(Assume(bitvectors.compare("bvule", given.term, one)), site.node)
    return given


def _wide_input(site: Site, type: CType) -> Value:
    """An integer of 128 bits comes in two words, the lower one first: compiled tests ask for them one by one."""
    words = [any_value(site.frame, UNSIGNED_LONG_LONG, site.name, "nondet", site.node) for _ in range(2)]
    return Value(type, bitvectors.concat(words[1].term, words[0].term))


def _input_type(use: Use) -> CType:
    """As declared, or by the function's name for programs that do not declare it."""
    kind = _kind_of_input(use.name)
    if use.declared is not None:
        return use.declared
    if kind in ("pointer", "pchar", "charp"):
        return Pointer(VOID)
    return basic_type(_KINDS.get(kind, kind.replace("_", " ")).split(), use.target) or INT


def _unknown_word(site: Site) -> Value:
    site.frame.unsupported(f"the word {site.name} of another verifier", site.node)
    return zero(site.frame, site.result)


_PLAIN_ASSERTIONS = (
    "assert", "__VERIFIER_assert", "__CPROVER_assert", "__CPROVER_precondition", "__CPROVER_postcondition",
    "__ESBMC_assert",
)  # fmt: skip
_ASSUMPTIONS = (
    "__VERIFIER_assume", "assume_abort_if_not", "__builtin_assume", "__CPROVER_assume", "__ESBMC_assume",
)  # fmt: skip
_INPUTS = (
    "__VERIFIER_nondet_*", "__VERIFIER_nondet", "__SMACK_nondet", "nondet_*", "nondet", "__CPROVER_nondet_*",
    "__ESBMC_nondet_*",
)  # fmt: skip
FUNCTIONS = {
    **words(_FAILURES, _failure, overriding=True),
    **words(_ASSERTIONS, _failed_assertion, overriding=True),
    **words(("__pincer_assert",), _assertion, VOID),
    **words(("__pincer_assert_message",), _assertion_of_a_rule, VOID),
    **words(_PLAIN_ASSERTIONS, _plain_assertion, VOID),
    **words(_ASSUMPTIONS, assumption, VOID),
    **words(_INPUTS, _nondet, _input_type),
    **words(("__CPROVER_*", "__ESBMC_*"), _unknown_word),
}
