"""The propositions of a property at the states of a program: formulas over the inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pincer.errors import Position
from pincer.execution.msvl import NIL, Options, Snapshot, StateObserver
from pincer.frontends.msvl import Program, StaticError, parse_condition
from pincer.frontends.msvl.checks import known_names
from pincer.frontends.msvl.syntax import Binary, Choice, Expression, Index, MemberAccess, Name, Unary, descendants
from pincer.frontends.source import SourceText
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.runtime.files import did_you_mean
from pincer.temporal.derivative import Letter, propositions
from pincer.temporal.formula import FALSE, TRUE, Formula
from pincer.temporal.property import Define, Property

_UNDEFINED = "the proposition {} has no value at some states and counts as false there; check its variables"


def meanings(property_: Property) -> dict[str, Expression]:
    """What the propositions that the formula uses say about variables."""
    used = propositions(property_.formula)
    return {define.name: _expression(define) for define in property_.defines if define.name in used}


def check_conditions(program: Program, property_: Property) -> None:
    """Refuse conditions about names that the program does not have."""
    known = known_names(program)
    for expression, source in map(_read, property_.defines):
        for node in descendants(expression):
            if isinstance(node, Name) and node.text not in known:
                hint = did_you_mean(node.text, sorted(known)) or "; conditions are about variables of the program"
                raise source.error(node.at, f"`{node.text}` is not declared in the program{hint}", StaticError)


def _expression(define: Define) -> Expression:
    return _read(define)[0]


def _read(define: Define) -> tuple[Expression, SourceText]:
    source, at = _source(define.text, define.position)
    return parse_condition(define.text, source, at), source


def _source(text: str, position: Position) -> tuple[SourceText, int]:
    """A text that has the definition at its place in the file, so that messages name that place."""
    before = "\n" * (position.line - 1) + " " * (position.column - 1)
    return SourceText(position.file, before + text), len(before)


@dataclass
class Propositions:
    """Evaluates the propositions of one property; remembers what the user should know about them."""

    program: Program
    expressions: Mapping[str, Expression]
    options: Options
    warnings: dict[str, None] = field(default_factory=dict)
    inexact: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._observer = StateObserver(self.program, self.options)
        self._names = {
            name: {node.text for node in descendants(expression) if isinstance(node, Name)}
            for name, expression in self.expressions.items()
        }
        # Comparing states costs more than observing them; each is kept, so that its identity stays its own.
        self._known: dict[tuple[str, int], tuple[Snapshot, Term]] = {}
        self._partial = {name for name, expression in self.expressions.items() if _is_partial(expression)}

    def letter(self, state: Snapshot) -> Letter:
        """The propositions that hold at the state of one run."""
        return frozenset(name for name, said in self.expressions.items() if self._observer.observe(state, said).value)

    def formula(self, name: str, state: Snapshot) -> Term:
        """The inputs for which the proposition holds at the state."""
        found = self._known.get((name, id(state)))
        if found is None:
            found = self._known[name, id(state)] = state, self._evaluated(name, state)
        return found[1]

    def _evaluated(self, name: str, state: Snapshot) -> Term:
        seen = self._observer.observe(state, self.expressions[name])
        if not seen.defined:
            self.warnings[_UNDEFINED.format(self._shown(name))] = None
        if not seen.exact or self._may_differ(name, state, seen.defined):
            self.inexact[f"the proposition {self._shown(name)} was evaluated for single values only"] = None
        return seen.formula

    def _shown(self, name: str) -> str:
        """A proposition without a name of its own is known by the variables that it is about."""
        return f"about {', '.join(sorted(self._names[name]))}" if name.startswith("$") else f"`{name}`"

    def term(self, guard: Formula, state: Snapshot) -> Term:
        """A Boolean combination of propositions at the state, as a formula over the inputs."""
        known: dict[Formula, Term] = {TRUE: terms.TRUE, FALSE: terms.FALSE}

        def translated(part: Formula) -> Term:
            found = known.get(part)
            if found is None:
                assert part.atom is not None
                here = self.formula(part.atom.name, state)
                then = terms.conjunction(here, translated(part.high))
                otherwise = terms.conjunction(terms.negate(here), translated(part.low))
                found = known[part] = terms.disjunction(then, otherwise)
            return found

        return translated(guard)

    def _may_differ(self, name: str, state: Snapshot, defined: bool) -> bool:
        """Whether the expression may have a value for some inputs of the path and none for others."""
        names = self._names[name]
        if name not in self._partial:
            return False
        if not any(_contains(state.symbolic(variable), lambda term: term is not None) for variable in names):
            return False
        return not defined or any(_contains(state.value(variable), _is_nothing) for variable in names)


def _is_nothing(value: object) -> bool:
    return value is None or value is NIL


def _contains(shown: object, wanted: Callable[[object], bool]) -> bool:
    """Whether a part of an array or struct is as wanted."""
    if isinstance(shown, tuple):
        return any(_contains(part, wanted) for part in shown)
    if isinstance(shown, dict):
        return any(_contains(part, wanted) for part in shown.values())
    return wanted(shown)


def _is_partial(expression: Expression) -> bool:
    """Whether some inputs may leave the expression without a value while others do not."""
    for node in descendants(expression):
        match node:
            case Binary("AND" | "OR" | "/" | "%") | Unary("*") | Index() | MemberAccess() | Choice():
                return True
    return False
