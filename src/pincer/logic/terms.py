"""Immutable, interned, normalising terms.

Equal terms are the same object, so `is` decides equality and terms are cheap dictionary keys. Constructors normalise:

- an integer term is a linear combination `c1*t1 + ... + cn*tn + k` of variables, `div` terms and conditionals, sorted;
- an integer atom is `c1*t1 + ... <= k` or `c1*t1 + ... = k` with coprime coefficients, the first of them positive,
  tightened to the integers. A literal is an atom or its negation, so `p` and `not p` share one atom;
- `mod` is expressed by `div`; conditionals are lifted out of atoms and divisions.

Bit-vector operations live in `pincer.logic.bitvectors` and share the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from math import gcd
from typing import Any, TypeAlias

from msgspec import Struct

from pincer.logic.limits import LIMITS


class Sort(Struct, frozen=True, eq=False):
    """`width` is None for Bool and Int, the number of bits for bit-vectors. Sorts are compared by identity."""

    name: str
    width: int | None = None

    def __str__(self) -> str:
        return self.name if self.width is None else f"{self.name}({self.width})"


BOOL = Sort("Bool")
INT = Sort("Int")


class Term:
    """A node of the shared term graph. Never construct one directly: use the functions of this module."""

    __slots__ = ("_text", "_variables", "args", "id", "op", "sort")

    op: str
    args: tuple[Any, ...]
    sort: Sort
    id: int

    def __repr__(self) -> str:
        return text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("terms are interned in one process and cannot be sent to another")

    @property
    def variables(self) -> frozenset[Term]:
        """The variables that occur in the term."""
        if self._variables is None:
            self._variables = _collect_variables(self)
        return self._variables

    _variables: frozenset[Term] | None
    _text: str | None


Coefficients: TypeAlias = tuple[tuple[Term, int], ...]

_table: dict[tuple[str, tuple[Any, ...], Sort], Term] = {}


def _intern(op: str, args: tuple[Any, ...], sort: Sort) -> Term:
    key = (op, args, sort)
    term = _table.get(key)
    if term is None:
        term = Term()
        term.op = op
        term.args = args
        term.sort = sort
        term.id = len(_table)
        term._text = None
        term._variables = None
        _table[key] = term
    return term


intern = _intern


def made() -> int:
    """How many terms there are in this process."""
    return len(_table)


TRUE = _intern("true", (), BOOL)
FALSE = _intern("false", (), BOOL)


def boolean(value: bool) -> Term:
    return TRUE if value else FALSE


def variable(name: Hashable, sort: Sort = INT) -> Term:
    """A variable; its name is a string, or a value whose text people read."""
    return _intern("var", (name,), sort)


def children(term: Term) -> Iterator[Term]:
    """The arguments that are terms, the factors of sums among them."""
    if term.op in ("linear", "le", "eq", "bvlin"):
        for factor, _ in term.args[0]:
            yield factor
    else:
        for arg in term.args:
            if isinstance(arg, Term):
                yield arg


def _collect_variables(term: Term) -> frozenset[Term]:
    if term.op == "var":
        return frozenset((term,))
    if term.op == "every":
        return frozenset().union(*(argument.variables for argument in term.args[1:])) - {term.args[0]}
    arguments = list(children(term))
    if any(argument._variables is None and argument.op != "var" for argument in arguments):
        for part in _postorder(term, lambda part: part._variables is not None):
            if part is not term:
                part._variables = _collect_variables(part)
    if len(arguments) == 1:
        return arguments[0].variables
    return frozenset().union(*(argument.variables for argument in arguments))


def postorder(term: Term) -> Iterator[Term]:
    """Every subterm once, after its arguments; without recursion, so chains may be as long as they like."""
    return _postorder(term, lambda part: False)


def _postorder(term: Term, known: Callable[[Term], bool]) -> Iterator[Term]:
    """The subterms that are not known, each after its arguments; arguments of known ones are not looked at."""
    done: set[Term] = set()
    pending = [term]
    while pending:
        current = pending[-1]
        if current in done or known(current):
            pending.pop()
            continue
        missing = [child for child in children(current) if child not in done and not known(child)]
        if missing:
            pending.extend(reversed(missing))
        else:
            pending.pop()
            done.add(current)
            yield current


def unknown_first(term: Term, known: Mapping[Term, object]) -> Iterator[Term]:
    """The subterms that are not keys of `known`, each after its arguments; the reader adds them as they come."""
    return _postorder(term, known.__contains__)


def integer(value: int) -> Term:
    return _intern("linear", ((), value), INT)


def linear_parts(term: Term) -> tuple[Coefficients, int]:
    """The coefficients and the constant of an integer term."""
    if term.op == "linear":
        coefficients, constant = term.args
        return coefficients, constant
    return ((term, 1),), 0


def constant_value(term: Term) -> int | None:
    """The value of a constant integer term, None for any other."""
    if term.op == "linear" and not term.args[0]:
        value: int = term.args[1]
        return value
    return None


def _sort_key(entry: tuple[Term, int]) -> str:
    term = entry[0]
    return str(term.args[0]) if term.op == "var" else text(term)


def _linear(coefficients: dict[Term, int], constant: int) -> Term:
    entries = [(factor, c) for factor, c in coefficients.items() if c]
    if len(entries) == 1 and constant == 0 and entries[0][1] == 1:
        return entries[0][0]
    if len(entries) > 1:
        entries.sort(key=_sort_key)
    return _intern("linear", (tuple(entries), constant), INT)


def combination(parts: Iterable[tuple[Term, int]], constant: int = 0) -> Term:
    """`sum c*t + constant` over integer terms t."""
    total: dict[Term, int] = {}
    for term, c in parts:
        if term.op == "linear":
            constant += c * term.args[1]
            for factor, d in term.args[0]:
                total[factor] = total.get(factor, 0) + c * d
        else:
            total[term] = total.get(term, 0) + c
    return _linear(total, constant)


def add(*terms: Term) -> Term:
    return combination((term, 1) for term in terms)


def subtract(left: Term, right: Term) -> Term:
    return combination(((left, 1), (right, -1)))


def scale(factor: int, term: Term) -> Term:
    return combination(((term, factor),))


def divide(term: Term, modulus: int) -> Term:
    """`term div modulus`, rounding down; the modulus is positive."""
    if modulus <= 0:
        raise ValueError("the divisor must be positive")
    lifted = _lift_conditional(term, lambda branch: divide(branch, modulus))
    if lifted is not None:
        return lifted
    coefficients, constant = linear_parts(term)
    quotient = [(factor, c // modulus) for factor, c in coefficients]
    rest = [(factor, c % modulus) for factor, c in coefficients if c % modulus]
    whole = constant // modulus
    constant %= modulus
    if not rest:
        return combination(quotient, whole)
    divisor = gcd(modulus, *(c for _, c in rest))
    if divisor > 1:
        rest = [(factor, c // divisor) for factor, c in rest]
        constant //= divisor
        modulus //= divisor
    remainder = _linear(dict(rest), constant)
    return combination([*quotient, (_intern("div", (remainder, modulus), INT), 1)], whole)


def modulo(term: Term, modulus: int) -> Term:
    """`term mod modulus`, between 0 and modulus - 1."""
    return combination(((term, 1), (divide(term, modulus), -modulus)))


def conditional(condition: Term, then: Term, otherwise: Term) -> Term:
    """`if condition then a else b` over any sort; Boolean ones become connectives."""
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    if then.sort is BOOL:
        return conjunction(disjunction(negate(condition), then), disjunction(condition, otherwise))
    if condition.op == "not":
        condition, then, otherwise = condition.args[0], otherwise, then
    if then.sort is not INT:
        return _bitvectors.conditional(condition, then, otherwise)
    return _intern("ite", (condition, then, otherwise), then.sort)


def _lift_conditional(term: Term, build: Callable[[Term], Term]) -> Term | None:
    """`build` applied under the first conditional of an integer term, None when there is none."""
    coefficients, constant = linear_parts(term)
    for i, (factor, c) in enumerate(coefficients):
        if factor.op == "ite":
            condition, then, otherwise = factor.args
            rest = [*coefficients[:i], *coefficients[i + 1 :]]
            return conditional(
                condition,
                build(combination([*rest, (then, c)], constant)),
                build(combination([*rest, (otherwise, c)], constant)),
            )
    return None


def at_most_zero(term: Term) -> Term:
    """`term <= 0`."""
    lifted = _lift_conditional(term, at_most_zero)
    if lifted is not None:
        return lifted
    coefficients, constant = linear_parts(term)
    if not coefficients:
        return boolean(constant <= 0)
    divisor = gcd(*(c for _, c in coefficients))
    bound = -constant
    if divisor > 1:
        coefficients = tuple((factor, c // divisor) for factor, c in coefficients)
        bound //= divisor
    if coefficients[0][1] < 0:
        flipped = tuple((factor, -c) for factor, c in coefficients)
        return negate(_intern("le", (flipped, -bound - 1), BOOL))
    return _intern("le", (coefficients, bound), BOOL)


def is_zero(term: Term) -> Term:
    """`term = 0`."""
    lifted = _lift_conditional(term, is_zero)
    if lifted is not None:
        return lifted
    coefficients, constant = linear_parts(term)
    if not coefficients:
        return boolean(constant == 0)
    divisor = gcd(*(c for _, c in coefficients))
    if constant % divisor:
        return FALSE
    if coefficients[0][1] < 0:
        divisor = -divisor
    if divisor != 1:
        coefficients = tuple((factor, c // divisor) for factor, c in coefficients)
    return _intern("eq", (coefficients, -constant // divisor), BOOL)


def at_most(left: Term, right: Term) -> Term:
    return at_most_zero(subtract(left, right))


def less(left: Term, right: Term) -> Term:
    return at_most_zero(combination(((left, 1), (right, -1)), 1))


def equal(left: Term, right: Term) -> Term:
    """Equality of two terms of the same sort."""
    if left is right:
        return TRUE
    if left.sort is INT:
        return is_zero(subtract(left, right))
    if left.sort is BOOL:
        return iff(left, right)
    return _bitvectors.equal(left, right)


class _Bitvectors:
    """The constructors of `pincer.logic.bitvectors`, which builds on this module and installs them here."""

    equal: Callable[[Term, Term], Term]
    conditional: Callable[[Term, Term, Term], Term]
    rebuild: Callable[[Term, Callable[[Term], Term]], Term]


_bitvectors = _Bitvectors()


def install_bitvectors(
    equal: Callable[[Term, Term], Term],
    conditional: Callable[[Term, Term, Term], Term],
    rebuild: Callable[[Term, Callable[[Term], Term]], Term],
) -> None:
    """What equality, conditionals and rebuilding do over bit-vectors."""
    _bitvectors.equal, _bitvectors.conditional, _bitvectors.rebuild = equal, conditional, rebuild


def upper_bound(coefficients: Coefficients, bound: int) -> Term:
    """`coefficients <= bound` as a normalised literal."""
    return at_most_zero(combination(coefficients, -bound))


def negate(term: Term) -> Term:
    if term.op == "not":
        inner: Term = term.args[0]
        return inner
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    if term.op in ("and", "or"):
        done = _negations.get(term)
        if done is None:
            parts = [negate(part) for part in term.args]
            done = _negations[term] = disjunction(*parts) if term.op == "and" else conjunction(*parts)
        return done
    return _intern("not", (term,), BOOL)


_negations: dict[Term, Term] = {}


def _term_id(term: Term) -> int:
    return term.id


def _connect(op: str, unit: Term, zero: Term, terms: Iterable[Term]) -> Term:
    parts: set[Term] = set()
    for term in terms:
        if term is zero:
            return zero
        if term is unit:
            continue
        if term.op == op:
            parts.update(term.args)
        else:
            parts.add(term)
    if any(part.op == "not" and part.args[0] in parts for part in parts):
        return zero
    if not parts:
        return unit
    if len(parts) == 1:
        return parts.pop()
    return _intern(op, tuple(sorted(parts, key=_term_id)), BOOL)


def conjunction(*terms: Term) -> Term:
    return _connect("and", TRUE, FALSE, terms)


def disjunction(*terms: Term) -> Term:
    return _connect("or", FALSE, TRUE, terms)


def implies(left: Term, right: Term) -> Term:
    return disjunction(negate(left), right)


def iff(left: Term, right: Term) -> Term:
    """Equivalence, a connective of its own: written out it would double with every nesting."""
    positive = True
    operands = []
    for operand in (left, right):
        if operand.op == "not":
            operand, positive = operand.args[0], not positive
        operands.append(operand)
    first, second = sorted(operands, key=_term_id)
    for constant, other in ((first, second), (second, first)):
        if constant in (TRUE, FALSE):
            return literal(other, positive is (constant is TRUE))
    return boolean(positive) if first is second else literal(_intern("iff", (first, second), BOOL), positive)


def every(index: Term, lower: Term, upper: Term, body: Term) -> Term:
    """The body holds for every `index` with lower <= index < upper, as unsigned numbers: bit-vectors of one width.

    The index is a variable that stands for nothing outside; no such range lies inside another."""
    if index in lower.variables or index in upper.variables or any(part.op == "every" for part in postorder(body)):
        raise ValueError("the bounds of a range do not depend on its index, and ranges are not nested")
    if body is TRUE or lower is upper:
        return TRUE
    return _intern("every", (index, lower, upper, body), BOOL)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The members of a conjunction; TRUE has none."""
    if term is TRUE:
        return ()
    return term.args if term.op == "and" else (term,)


def literal(atom: Term, positive: bool) -> Term:
    return atom if positive else negate(atom)


def atoms(term: Term) -> tuple[Term, ...]:
    """The atoms of a formula (Boolean variables and relations), in order of first occurrence."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    pending = [term]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if current.op in ("and", "or", "not", "iff"):
            pending.extend(reversed(current.args))
        elif current.op not in ("true", "false"):
            found[current] = None
    return tuple(found)


def substitute(term: Term, values: Mapping[Term, Term], memo: dict[Term, Term] | None = None) -> Term:
    """Replace variables simultaneously. `memo` may be shared between calls with the same `values`."""
    memo = {} if memo is None else memo
    try:
        return _substitute(term, values, memo)
    except RecursionError:
        for part in postorder(term):
            _substitute(part, values, memo)
        return _substitute(term, values, memo)


def _substitute(term: Term, values: Mapping[Term, Term], memo: dict[Term, Term]) -> Term:
    if term.op == "var":
        return values.get(term, term)
    done = memo.get(term)
    if done is None:
        if values.keys().isdisjoint(term.variables):
            return term
        done = memo[term] = rebuild(term, lambda part: _substitute(part, values, memo))
    return done


def rebuild(term: Term, visit: Callable[[Term], Term]) -> Term:
    """The same operation on visited arguments, normalised again.

    All arguments are visited, also those that do not matter once another is known: visits may note what they see."""
    op, args = term.op, term.args
    match op:
        case "le":
            return at_most_zero(combination([(visit(factor), c) for factor, c in args[0]], -args[1]))
        case "eq":
            return is_zero(combination([(visit(factor), c) for factor, c in args[0]], -args[1]))
        case "linear":
            return combination([(visit(factor), c) for factor, c in args[0]], args[1])
        case "div":
            return divide(visit(args[0]), args[1])
        case "and":
            return _connect("and", TRUE, FALSE, [visit(arg) for arg in args])
        case "or":
            return _connect("or", FALSE, TRUE, [visit(arg) for arg in args])
        case "not":
            return negate(visit(args[0]))
        case "iff":
            return iff(*map(visit, args))
        case "ite":
            return conditional(*map(visit, args))
        case "same":
            return equal(*map(visit, args))
        case "every":
            return every(args[0], *map(visit, args[1:]))
    return _bitvectors.rebuild(term, visit)


def text(term: Term) -> str:
    """The term in GCL syntax (bit-vector operations in function notation)."""
    if term._text is None:
        for part in _postorder(term, lambda part: part._text is not None):
            part._text = _text(part)
    assert term._text is not None
    return term._text


def _sum_text(coefficients: Iterable[tuple[Term, int]], constant: int) -> str:
    out = ""
    for factor, c in coefficients:
        size = text(factor) if abs(c) == 1 else f"{abs(c)}*{text(factor)}"
        out += (f" - {size}" if c < 0 else f" + {size}") if out else (f"-{size}" if c < 0 else size)
    if constant or not out:
        out += (f" - {-constant}" if constant < 0 else f" + {constant}") if out else str(constant)
    return out


_RELATIONS = {("le", True): "<=", ("le", False): ">", ("eq", True): "=", ("eq", False): "!="}


def _atom_text(atom: Term, positive: bool) -> str:
    """Positive coefficients on the left, negative ones and the constant on the right."""
    coefficients, bound = atom.args
    left = [(factor, c) for factor, c in coefficients if c > 0]
    right = [(factor, -c) for factor, c in coefficients if c < 0]
    return f"{_sum_text(left, 0)} {_RELATIONS[atom.op, positive]} {_sum_text(right, bound)}"


def _text(term: Term) -> str:
    match term.op:
        case "var":
            return str(term.args[0])
        case "true" | "false":
            return term.op
        case "linear":
            return _sum_text(*term.args)
        case "div":
            return f"(({text(term.args[0])}) div {term.args[1]})"
        case "ite":
            return "(if {} then {} else {})".format(*map(text, term.args))
        case "le" | "eq":
            return _atom_text(term, True)
        case "not":
            inner = term.args[0]
            return _atom_text(inner, False) if inner.op in ("le", "eq") else f"!({text(inner)})"
        case "iff":
            return " <=> ".join(f"({text(part)})" for part in term.args)
        case "and" | "or":
            joint = " && " if term.op == "and" else " || "
            return joint.join(
                f"({text(part)})" if part.op in ("and", "or", "iff") else text(part) for part in term.args
            )
    return _bitvector_text(term)


def _bitvector_text(term: Term) -> str:
    def short(arg: object) -> str:
        shown = str(arg)
        return shown if len(shown) <= LIMITS.argument_text or not isinstance(arg, Term) else f"#{arg.id}"

    if term.op == "bvconst":
        return str(term.args[0])
    if term.op == "bvlin":
        modulus = 1 << (term.sort.width or 0)
        coefficients, constant = term.args
        parts = [(c - modulus if 2 * c > modulus else c, short(factor)) for factor, c in coefficients]
        shown = " + ".join(factor if c == 1 else f"{c}*{factor}" for c, factor in parts)
        offset = constant - modulus if 2 * constant > modulus else constant
        return f"({shown} + {offset})" if offset else f"({shown})"
    return f"{term.op}({', '.join(map(short, term.args))})"
