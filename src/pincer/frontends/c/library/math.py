"""`math.h`: functions with an exact result are operations on patterns, or have a body in C; others give any result.

The results of `sin`, `exp` and their like are not determined by any standard: any number of the function's range is
tried, and a violation counts only when the C library's own result shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from pincer.frontends.c.lowering.calls import Known, Site, any_value
from pincer.frontends.c.lowering.conversions import convert, number, zero
from pincer.frontends.c.lowering.floating import from_pattern, pattern, refuse
from pincer.frontends.c.lowering.values import Value, flag
from pincer.frontends.c.semantics.constants import SPECIAL_NUMBERS, special_number
from pincer.frontends.c.semantics.context import Rule, Use
from pincer.frontends.c.semantics.types import DOUBLE, FLOAT, INT, LONG_LONG, CType, Floating, Target
from pincer.logic import bitvectors, floating_point, machine_floats, terms
from pincer.logic.machine_floats import FORMATS, Rounding
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume
from pincer.program.property import Assumption

_ROUNDINGS = {
    "floor": Rounding.DOWN,
    "ceil": Rounding.UP,
    "trunc": Rounding.TO_ZERO,
    "round": Rounding.AWAY_FROM_ZERO,
    "rint": Rounding.TO_EVEN,
    "nearbyint": Rounding.TO_EVEN,
    "roundeven": Rounding.TO_EVEN,
}
_TO_INTEGERS = {
    "lround": Rounding.AWAY_FROM_ZERO,
    "llround": Rounding.AWAY_FROM_ZERO,
    "lrint": Rounding.TO_EVEN,
    "llrint": Rounding.TO_EVEN,
}
_BODIES = "fmod remainder frexp scalbn ldexp scalbln modf nextafter fdim ilogb logb remquo nexttoward hypot cbrt"


def _equal(left: Term, right: Term) -> Term:
    return floating_point.compare("fpeq", left, right)


def _is_nan(x: Term) -> Term:
    return terms.negate(_equal(x, x))


def _constant(value: int, bits: int) -> Term:
    return bitvectors.constant(value, bits)


def _size(x: Term) -> Term:
    return floating_point.arithmetic("fpabs", x)


def _infinity(x: Term) -> Term:
    bits = bitvectors.width(x)
    return _constant(FORMATS[bits].infinity, bits)


def _is_negative(x: Term) -> Term:
    bits = bitvectors.width(x)
    return terms.equal(bitvectors.extract(bits - 1, bits - 1, x), _constant(1, 1))


def _is_normal(x: Term) -> Term:
    bits = bitvectors.width(x)
    least = _constant(1 << FORMATS[bits].field | FORMATS[bits].stored_one << 63, bits)
    size = _size(x)
    large = floating_point.compare("fple", least, size)
    return terms.conjunction(large, floating_point.compare("fplt", size, _infinity(x)))


SIGNS_OF_NAN = Assumption(
    "where the sign of a NaN is looked at, it is the one that an operation of x86 gives; compilers may compute another"
)


def _note_sign(site: Site, operand: Term) -> None:
    """The sign of something is looked at that an operation may have given."""
    if operand.op != "bvconst":
        site.frame.unit.assume(SIGNS_OF_NAN)


def _copied_sign(x: Term, y: Term) -> Term:
    size = _size(x)
    return terms.conditional(_is_negative(y), floating_point.arithmetic("fpneg", size), size)


def _least(x: Term, y: Term) -> Term:
    """`fmin`: a NaN is passed over; of two zeros the second one."""
    chosen = terms.conditional(floating_point.compare("fplt", x, y), x, y)
    return terms.conditional(_is_nan(y), x, terms.conditional(_is_nan(x), y, chosen))


def _greatest(x: Term, y: Term) -> Term:
    chosen = terms.conditional(floating_point.compare("fplt", y, x), x, y)
    return terms.conditional(_is_nan(y), x, terms.conditional(_is_nan(x), y, chosen))


_OPERATIONS: Mapping[str, Callable[..., Term]] = {
    "fabs": _size,
    "sqrt": partial(floating_point.arithmetic, "fpsqrt"),
    "fma": partial(floating_point.arithmetic, "fpfma"),
    "copysign": _copied_sign,
    "fmin": _least,
    "fmax": _greatest,
    **{name: partial(floating_point.to_integral, mode) for name, mode in _ROUNDINGS.items()},
}
_COUNTS = {"fma": 3, "copysign": 2, "fmin": 2, "fmax": 2}

_TESTS: Mapping[str, Callable[[Term], Term]] = {
    "isnan": _is_nan,
    "isinf": lambda x: _equal(_size(x), _infinity(x)),
    "isfinite": lambda x: floating_point.compare("fplt", _size(x), _infinity(x)),
    "finite": lambda x: floating_point.compare("fplt", _size(x), _infinity(x)),
    "isnormal": _is_normal,
    "signbit": _is_negative,
}
_RELATIONS: Mapping[str, Callable[[Term, Term], Term]] = {
    "isless": partial(floating_point.compare, "fplt"),
    "islessequal": partial(floating_point.compare, "fple"),
    "isgreater": lambda x, y: floating_point.compare("fplt", y, x),
    "isgreaterequal": lambda x, y: floating_point.compare("fple", y, x),
    "islessgreater": lambda x, y: terms.disjunction(
        floating_point.compare("fplt", x, y), floating_point.compare("fplt", y, x)
    ),
    "isunordered": lambda x, y: terms.disjunction(_is_nan(x), _is_nan(y)),
}


def _stem(name: str) -> tuple[str, str]:
    """The name of the double function, and the suffix of the others."""
    plain = name.removeprefix("__builtin_").removeprefix("__").removesuffix("_sign")
    for known in (*_OPERATIONS, *_TO_INTEGERS, *_TESTS, *_RELATIONS, *_RANGES):
        if plain in (known, f"{known}f", f"{known}l"):
            return known, plain.removeprefix(known)
    raise ValueError(name)


def _type(name: str, target: Target) -> Floating:
    suffix = _stem(name)[1]
    return target.long_double if suffix == "l" else FLOAT if suffix == "f" else DOUBLE


def _patterns(site: Site, type: CType, count: int) -> list[Term] | None:
    given = site.values()[:count]
    if len(given) < count:
        return None
    found = [pattern(convert(site.frame, value, type, site.node)) for value in given]
    return [term for term in found if term is not None]


def _operation(site: Site) -> Value:
    type = _type(site.name, site.frame.target)
    stem = _stem(site.name)[0]
    operands = _patterns(site, type, _COUNTS.get(stem, 1))
    if operands is None:
        return zero(site.frame, type)
    if stem == "copysign":
        _note_sign(site, operands[1])
    return from_pattern(site.frame, _OPERATIONS[stem](*operands), type)


def _to_integer(site: Site) -> Value:
    type = _type(site.name, site.frame.target)
    stem = _stem(site.name)[0]
    [operand] = _patterns(site, type, 1) or [_constant(0, 64)]
    result = LONG_LONG if stem.startswith("ll") else site.frame.target.long
    whole = floating_point.to_integral(_TO_INTEGERS[stem], operand)
    return Value(result, floating_point.to_integer(whole, result.bits, True))


def _own_patterns(site: Site) -> list[Term] | None:
    """The patterns of arguments of any one floating type: the widest of those given."""
    given = site.values()
    types = [value.type for value in given if isinstance(value.type, Floating)]
    type = max(types, key=lambda type: type.pattern_bits or 0, default=DOUBLE)
    if any(found.pattern_bits is None for found in types):
        refuse(site.frame, type, site.node)
        return None
    return _patterns(site, type, len(given))


def _test(site: Site) -> Value:
    operands = _own_patterns(site)
    if not operands:
        return number(0, INT)
    stem = _stem(site.name)[0]
    if stem == "signbit":
        _note_sign(site, operands[0])
    if site.name.removeprefix("__builtin_") in ("isinf", "isinf_sign", "isinff", "isinfl", "__isinf"):
        sign = terms.conditional(_is_negative(operands[0]), _constant(-1, INT.bits), _constant(1, INT.bits))
        return Value(INT, terms.conditional(_TESTS["isinf"](operands[0]), sign, _constant(0, INT.bits)))
    return Value(INT, flag(_TESTS[stem](operands[0]), INT.bits))


def _relation(site: Site) -> Value:
    operands = _own_patterns(site)
    if not operands or len(operands) < 2:
        return number(0, INT)
    return Value(INT, flag(_RELATIONS[_stem(site.name)[0]](*operands[:2]), INT.bits))


def _classified(site: Site) -> Value:
    """`__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`."""
    *classes, last = site.values()
    operand = pattern(last)
    if len(classes) != 5 or operand is None:
        site.frame.unsupported(f"{site.name} on this type", site.node)
        return number(0, INT)
    nan, infinite, normal, subnormal, nothing = (convert(site.frame, value, INT).term for value in classes)
    zeros = _constant(0, bitvectors.width(operand))
    result = terms.conditional(_equal(operand, zeros), nothing, subnormal)
    result = terms.conditional(_is_normal(operand), normal, result)
    result = terms.conditional(_TESTS["isinf"](operand), infinite, result)
    return Value(INT, terms.conditional(_is_nan(operand), nan, result))


def _special(site: Site) -> Value:
    found = special_number(site.name, site.result)
    if found is None:
        refuse(site.frame, site.result, site.node)
        return zero(site.frame, site.result)
    return from_pattern(site.frame, _constant(found.pattern, found.bits), site.result)


def _quiet_nan(site: Site) -> Value:
    """`nan("")`."""
    site.run_effects()
    type = site.result
    bits = type.pattern_bits if isinstance(type, Floating) else None
    if bits is None or site.literal(0) != "":
        site.frame.unsupported(f"{site.name} with a payload", site.node)
        return zero(site.frame, type)
    return from_pattern(site.frame, _constant(FORMATS[bits].infinity | FORMATS[bits].quiet, bits), type)


_ANY = (float("-inf"), float("inf"))
_HALF_PI, _PI = 1.5707970000000001, 3.1415939999999996
_RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("sin", "cos", "tanh", "erf"), (-1.0, 1.0)),
    **dict.fromkeys(("asin", "atan"), (-_HALF_PI, _HALF_PI)),
    "acos": (0.0, _PI),
    "atan2": (-_PI, _PI),
    **dict.fromkeys(("exp", "exp2", "exp10", "hypot", "acosh"), (0.0, float("inf"))),
    "cosh": (1.0, float("inf")),
    "expm1": (-1.0, float("inf")),
    "erfc": (0.0, 2.0),
    **dict.fromkeys(("tan", "sinh", "asinh", "atanh", "log", "log10", "log1p", "log2", "cbrt"), _ANY),
    **dict.fromkeys(("lgamma", "tgamma", "pow", "j0", "j1", "y0", "y1", "powi"), _ANY),
}
"""Results that are numbers lie within these bounds, a little wider than they are."""
_DEFINED_ON_NUMBERS = frozenset(
    (
        "sin", "cos", "tan", "tanh", "erf", "atan", "sinh", "asinh", "exp", "exp2", "exp10", "expm1", "cosh", "erfc",
        "cbrt", "atan2",
    )
)  # fmt: skip
"""Functions that give a NaN only for a NaN; for an infinity, `sin`, `cos` and `tan` do."""
_OF_TWO = frozenset(("atan2", "hypot", "pow"))


def _approximate(site: Site) -> Value:
    """Any result in the range; it is a NaN where an argument is one, and for some functions nowhere else."""
    frame, (stem, _) = site.frame, _stem(site.name)
    type = _type(site.name, frame.target)
    if stem == "powi" or type.pattern_bits not in (32, 64):
        frame.unsupported(f"the function {site.name}", site.node)
        return zero(frame, type)
    operands = _patterns(site, type, 2 if stem in _OF_TWO else 1)
    name = site.name.removeprefix("__builtin_")
    frame.unit.assume(Assumption(f"`{name}` returns any number in its range, which need not be the C library's"))
    result = any_value(frame, type, f"result of {name}()", "external", site.node)
    frame.emit(Assume(_is_possible(stem, operands or [], result.term)), site.node)
    return result


def _is_possible(stem: str, operands: list[Term], result: Term) -> Term:
    bits = bitvectors.width(result)
    low, high = (_constant(machine_floats.pattern_of(bound, bits), bits) for bound in _RANGES[stem])
    within = terms.conjunction(
        floating_point.compare("fple", low, result), floating_point.compare("fple", result, high)
    )
    undefined = terms.disjunction(*map(_is_nan, operands))
    if stem in ("sin", "cos", "tan"):
        undefined = terms.disjunction(*(terms.negate(_TESTS["isfinite"](operand)) for operand in operands))
    if stem in _DEFINED_ON_NUMBERS:
        return terms.conditional(undefined, _is_nan(result), within)
    if stem == "hypot":
        # That of an infinity and a NaN is infinite.
        return terms.disjunction(within, terms.conjunction(undefined, _is_nan(result)))
    return terms.disjunction(_is_nan(result), within)


def _of_long_double(site: Site) -> Value:
    site.frame.unsupported(f"the function {site.name}", site.node)
    return zero(site.frame, site.result)


def _floating(use: Use) -> CType:
    return _type(use.name, use.target)


def _special_type(use: Use) -> CType:
    plain = use.name.removeprefix("__builtin_").removeprefix("inf").removeprefix("huge_val").removeprefix("nan")
    return use.target.long_double if plain == "l" else FLOAT if plain == "f" else DOUBLE


def _integer_type(use: Use) -> CType:
    return LONG_LONG if _stem(use.name)[0].startswith("ll") else use.target.long


def _variants(stems: Iterable[str], suffixes: str = " f l", prefixes: str = " __builtin_") -> Iterator[str]:
    for stem in stems:
        for suffix in suffixes.split(" "):
            for prefix in prefixes.split(" "):
                yield f"{prefix}{stem}{suffix}"


def _table(names: Iterable[str], lower: Callable[[Site], Value], result: Rule) -> dict[str, Known]:
    """Functions; builtins of the compiler need no declaration."""
    return {name: Known(lower, result, word=name.startswith("__builtin_")) for name in names}


_LONG_BODIES = tuple(f"{stem}l" for stem in _BODIES.split())
FUNCTIONS = {
    **_table(_variants(_OPERATIONS), _operation, _floating),
    **_table(_variants(_TO_INTEGERS), _to_integer, _integer_type),
    **_table(_variants(_TESTS), _test, INT),
    **_table(("__builtin_isinf_sign", "__isinf", "__isnan", "__finite", "__signbit", "__signbitf"), _test, INT),
    **_table(_variants(_RELATIONS, ""), _relation, INT),
    **_table(("__builtin_fpclassify",), _classified, INT),
    **_table(SPECIAL_NUMBERS, _special, _special_type),
    **_table(("nan", "nanf"), _quiet_nan, _special_type),
    **_table(_variants(_RANGES), _approximate, _floating),
    **_table(("remquo", "remquof", *_LONG_BODIES), _of_long_double, lambda use: use.declared or DOUBLE),
}
