"""What a rule may say: names are known, every per-object state is used for its own object, moments are handled once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincer.frontends.c.rules.syntax import (
    Assertion,
    Expression,
    Handler,
    HandlerParameter,
    Rule,
    RuleAssignment,
    RuleConditional,
    RuleSource,
    Statement,
)

_MOMENTS = {
    "before": "before the call of",
    "after": "after the call of",
    "on_entry": "entry of",
    "on_return": "return from",
}


def check_rule(source: RuleSource, rule: Rule) -> None:
    if not rule.handlers:
        source.reject(rule.name, f"rule `{rule.name}` has no handler; add `on call f(...) {{ ... }}`")
    _check_constants(source, rule)
    for state in rule.states.values():
        _check_names(source, state.initial, set(rule.constants), "an initial value uses numbers and constants only")
    seen: dict[tuple[str, str], Handler] = {}
    for handler in rule.handlers:
        earlier = seen.setdefault((str(handler.function), handler.moment), handler)
        if earlier is not handler:
            moment = f"{_MOMENTS[handler.moment]} `{handler.function}`"
            source.reject(handler.function, f"{moment} is already handled in line {earlier.function.line}; join them")
        _check_handler(source, rule, handler)


def uses_object_state(rule: Rule, handler: Handler) -> bool:
    """Does the handler read or change a state variable that every object has for itself?"""
    names = {str(token) for token in tokens(handler.body)}
    return any(state.per_object and name in names for name, state in rule.states.items())


def tokens(statements: Iterable[Statement]) -> Iterator[str]:
    """Every token of the expressions and targets in some statements."""
    for statement in statements:
        match statement:
            case Assertion(condition):
                yield from condition
            case RuleAssignment(target, value):
                yield target
                yield from value
            case RuleConditional(condition, then, otherwise):
                yield from condition
                yield from tokens((*then, *otherwise))


def _check_constants(source: RuleSource, rule: Rule) -> None:
    known: set[str] = set()
    for name, value in rule.constants.items():
        _check_names(source, value, known, "a constant uses numbers and the constants above it")
        known.add(name)


def _check_handler(source: RuleSource, rule: Rule, handler: Handler) -> None:
    names = _check_values(source, rule, handler.values)
    if handler.object is not None:
        _check_object(source, rule, handler)
    known = {*rule.constants, *rule.states, *names}
    _check_statements(source, handler.body, known)
    private = handler.object is not None or uses_object_state(rule, handler)
    for assignment in _assignments(handler.body):
        _check_assignment(source, rule, assignment, names, private)


def _check_values(source: RuleSource, rule: Rule, values: tuple[HandlerParameter, ...]) -> set[str]:
    names: set[str] = set()
    for value in values:
        name = str(value.name)
        if name != "_" and (name in names or name in rule.constants or name in rule.states):
            source.reject(value.name, f"`{name}` is already declared; choose another name for this value")
        names.add(name)
    return names - {"_"}


def _check_object(source: RuleSource, rule: Rule, handler: Handler) -> None:
    assert handler.object is not None
    number = int(handler.object.rstrip("uUlL"), 0)
    if not 1 <= number <= len(handler.parameters):
        listed = f"{len(handler.parameters)} are listed" if handler.parameters else "none is listed"
        source.reject(handler.object, f"there is no argument {number}; arguments count from one, and {listed}")
    chosen = handler.parameters[number - 1]
    if chosen.type not in (None, "void *"):
        source.reject(chosen.name, f"an object is known by its address; declare `{chosen.name}` as `void *`")
    if not any(state.per_object for state in rule.states.values()):
        source.reject(handler.object, "the rule has no `state per object`; declare one or leave `per object` out")


def _check_statements(source: RuleSource, statements: tuple[Statement, ...], known: set[str]) -> None:
    for statement in statements:
        match statement:
            case Assertion(condition):
                _check_names(source, condition, known)
            case RuleAssignment(_, value):
                _check_names(source, value, known)
            case RuleConditional(condition, then, otherwise):
                _check_names(source, condition, known)
                _check_statements(source, (*then, *otherwise), known)


def _check_names(source: RuleSource, expression: Expression, known: set[str], hint: str = "") -> None:
    for token in expression:
        if token.type == "NAME" and str(token) not in known:
            advice = hint or "name a state variable, a constant or a value of this handler"
            source.reject(token, f"unknown name `{token}`; {advice}")


def _assignments(statements: tuple[Statement, ...]) -> Iterator[RuleAssignment]:
    for statement in statements:
        if isinstance(statement, RuleAssignment):
            yield statement
        elif isinstance(statement, RuleConditional):
            yield from _assignments((*statement.then, *statement.otherwise))


def _check_assignment(
    source: RuleSource, rule: Rule, assignment: RuleAssignment, values: set[str], private: bool
) -> None:
    target = assignment.target
    if str(target) in values or str(target) in rule.constants:
        source.reject(target, f"`{target}` cannot change; assign to state variables only")
    if str(target) not in rule.states:
        source.reject(target, f"unknown state variable `{target}`; declare it with `state int {target};`")
    if private and not rule.states[str(target)].per_object:
        message = f"`{target}` belongs to the whole program, this handler runs for one object at a time"
        source.reject(target, f"{message}; assign it in a handler that does not use the state of objects")
