"""What is known about registers on some way through a program: a conjunction of literals.

An equation with a constant gives a register its value; other literals remember conditions that were decided on the way,
copies between registers, and bounds of what was assigned. Nothing is known about memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from pincer.logic.bitvectors import combination, compare, constant, linear_parts, state_reads, width
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, conjuncts, disjunction, equal, negate, substitute

MOST_REGISTERS = 4
"""In a condition that is remembered."""
MOST_CHOICES = 4
"""Between constants that are remembered for a register."""


class Environment:
    """A conjunction of literals that does not contradict itself by looking. Equal ones have the same literals."""

    __slots__ = ("literals", "values")

    def __init__(self, literals: frozenset[Term]) -> None:
        self.literals = literals
        self.values: Mapping[Term, Term] = dict(filter(None, map(_equation, literals)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Environment) and self.literals == other.literals

    def __hash__(self) -> int:
        return hash(self.literals)

    @property
    def formula(self) -> Term:
        return conjunction(*self.literals)

    def value(self, term: Term) -> Term:
        """A term with the known values in place of registers."""
        return substitute(term, self.values)

    def where(self, condition: Term) -> Environment | None:
        """What is known where a condition holds as well, None when it cannot."""
        literals = _with(self.literals, self.values, condition)
        return None if literals is None else self if literals == self.literals else Environment(literals)

    def without(self, registers: Iterable[Term]) -> Environment:
        """What remains when registers take unknown values."""
        gone = frozenset(registers)
        return self.about(lambda register: register not in gone)

    def about(self, kept: Callable[[Term], bool]) -> Environment:
        """What is known about some registers."""
        return self.chosen(lambda literal: all(map(kept, literal.variables)))

    def chosen(self, wanted: Callable[[Term], bool]) -> Environment:
        """Some of the literals."""
        literals = frozenset(filter(wanted, self.literals))
        return self if len(literals) == len(self.literals) else Environment(literals)

    def assigned(self, register: Term, value: Term) -> Environment:
        """What is known after an assignment; nothing about the register if it is counted on, so that loops end."""
        if value is register:
            return self
        left = self.without((register,))
        return left if register in value.variables else Environment(left.literals.union(self.told(register, value)))

    def told(self, register: Term, value: Term) -> Iterator[Term]:
        """Literals about a register that gets a value: a constant, a copy with all that the original is, one of the
        constants it is chosen from, or a bound."""
        value = self.value(value)
        if value.op == "bvconst":
            yield equal(register, value)
        elif value.op == "var":
            yield equal(register, value)
            for literal in self.literals:
                if value in literal.variables and register not in literal.variables:
                    yield substitute(literal, {value: register})
        else:
            most = largest(value, self.literals)
            if most < (1 << width(value)) - 1:
                yield compare("bvule", register, constant(most, width(value)))
            choices = dict.fromkeys(_choices(value))
            if most > 1 and len(choices) <= MOST_CHOICES and all(choice.op == "bvconst" for choice in choices):
                yield disjunction(*(equal(register, choice) for choice in choices))

    def passed(self, parameter: Term, argument: Term) -> Iterator[Term]:
        """Literals about a parameter that gets an argument: also equations about a place at a distance from it."""
        yield from self.told(parameter, argument)
        entries, offset = linear_parts(self.value(argument))
        if offset and len(entries) == 1 and entries[0][0].op == "var" and entries[0][1] == 1:
            origin = entries[0][0]
            place = combination(((parameter, 1),), -offset, width(parameter))
            for literal in self.literals:
                if origin in literal.variables and len(literal.variables) > 1 and _is_equation(literal):
                    yield substitute(literal, {origin: place})

    def renamed(self, names: Mapping[Term, Term]) -> Environment:
        """The same knowledge with other names for registers, or other terms instead of them."""
        return Environment(frozenset(substitute(literal, names) for literal in self.literals))


def _equation(literal: Term) -> tuple[Term, Term] | None:
    """The register and the constant that a literal equates."""
    if literal.op == "same":
        left, right = literal.args
        if left.op == "var" and right.op == "bvconst":
            return left, right
        if right.op == "var" and left.op == "bvconst":
            return right, left
    return None


def _choices(value: Term) -> Iterator[Term]:
    """What a conditional value is chosen from."""
    if value.op == "ite":
        yield from _choices(value.args[1])
        yield from _choices(value.args[2])
    else:
        yield value


def _is_equation(literal: Term) -> bool:
    """Whether a literal says that two values are the same, or that they are not."""
    return (literal.args[0] if literal.op == "not" else literal).op == "same"


def _with(literals: frozenset[Term], values: Mapping[Term, Term], condition: Term) -> frozenset[Term] | None:
    """Literals and a further condition, each simplified by what the others say; None when they contradict."""
    known, known_values = set(literals), dict(values)
    pending = [condition]
    while pending:
        for simplified in conjuncts(substitute(pending.pop(), known_values)):
            part = _decided(simplified, known)
            if part is FALSE:
                return None
            if part is TRUE or not _is_remembered(part):
                continue
            if part.op == "and":
                pending.append(part)
                continue
            found = _equation(part)
            if found is not None:
                known_values[found[0]] = found[1]
                affected = [literal for literal in known if found[0] in literal.variables]
                known.difference_update(affected)
                pending.extend(affected)
            known.add(part)
    return frozenset(known)


def _is_remembered(part: Term) -> bool:
    return len(part.variables) <= MOST_REGISTERS and not state_reads(part)


def _decided(part: Term, known: set[Term]) -> Term:
    """A condition over registers without known values, in the light of known literals."""
    if part in known:
        return TRUE
    if negate(part) in known:
        return FALSE
    match part.op:
        case "or":
            return disjunction(*(_decided(side, known) for side in part.args))
        case "and":
            return conjunction(*(_decided(side, known) for side in part.args))
        case "not":
            return negate(_decided(part.args[0], known))
        case "same":
            return FALSE if any(_exclude(part, other) for other in known if other.op == "same") else part
    return _decided_order(part, known)


def _exclude(one: Term, other: Term) -> bool:
    """Whether two equations give the same difference of registers different values."""
    if one.variables != other.variables or width(one.args[0]) != width(other.args[0]):
        return False
    (left, right), (first, second) = one.args, other.args
    bits = width(left)
    differences = (combination(((left, 1), (right, -1), (first, -sign), (second, sign)), 0, bits) for sign in (1, -1))
    return any(difference.op == "bvconst" and difference.args[0] for difference in differences)


def _decided_order(atom: Term, known: Iterable[Term]) -> Term:
    """An atom that says that a value is at most a constant, decided by the largest value there is."""
    if atom.op not in ("bvule", "bvsle") or atom.args[1].op != "bvconst":
        return atom
    value, limit = atom.args[0], atom.args[1].args[0]
    most, half = largest(value, known), 1 << width(value) >> 1
    if atom.op == "bvule" or limit < half:
        return TRUE if most <= limit and (atom.op == "bvule" or most < half) else atom
    return FALSE if most < half else atom


def largest(value: Term, known: Iterable[Term], depth: int = 3) -> int:
    """An upper bound of a value without sign, by the look of it and by known bounds of registers."""
    most = (1 << width(value)) - 1
    match value.op:
        case "bvconst":
            return int(value.args[0])
        case "zero_extend":
            return largest(value.args[1], known, depth)
        case "sign_extend":
            inner = largest(value.args[1], known, depth)
            return inner if inner < 1 << width(value.args[1]) >> 1 else most
        case "bvlin":
            coefficients, total = value.args
            total += sum(factor * largest(term, known, depth) for term, factor in coefficients)
            return total if total <= most and all(factor < most // 2 for _, factor in coefficients) else most
        case "bvand":
            return min(largest(side, known, depth) for side in value.args)
        case "bvurem" if value.args[1].op == "bvconst" and value.args[1].args[0]:
            return int(value.args[1].args[0]) - 1
        case "bvsrem" if value.args[1].op == "bvconst" and 0 < value.args[1].args[0] <= most // 2:
            inner = largest(value.args[0], known, depth)
            return min(inner, value.args[1].args[0] - 1) if inner <= most // 2 else most
        case "extract" if value.args[1] == 0:
            return min(most, largest(value.args[2], known, depth))
        case "var" if depth:
            return min((bound for bound in _bounds(value, known, depth - 1) if bound >= 0), default=most)
    return most


def _bounds(register: Term, known: Iterable[Term], depth: int) -> Iterator[int]:
    """Upper bounds of a register that known literals give."""
    for literal in known:
        if literal.op == "bvule" and literal.args[0] is register:
            yield largest(literal.args[1], known, depth)
        elif literal.op == "not" and literal.args[0].op == "bvule" and literal.args[0].args[1] is register:
            yield largest(literal.args[0].args[0], known, depth) - 1
