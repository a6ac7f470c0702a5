"""API rules as C text: state variables and handler procedures under names that no program has.

A rule with per-object state speaks about every object. For verification one object is enough: its address is chosen
by `__VERIFIER_nondet_pointer` before the program starts, and the handlers follow that object only. Some choice fails if
and only if some object fails. A compiled program cannot choose an address of the verifier's memory; its text keeps a
table of all objects instead, and still takes the input, so that both read the same inputs in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

from pincer.frontends.c.rules.checks import uses_object_state
from pincer.frontends.c.rules.syntax import (
    Assertion,
    Expression,
    Handler,
    HandlerParameter,
    Rule,
    RuleAssignment,
    RuleConditional,
    RuleVariable,
    Statement,
)

_TABLE_SIZE = 65536


def handler_name(rule: Rule, handler: Handler) -> str:
    """The procedure for a handler."""
    return f"__rule_{rule.name}_{handler.function}_{handler.moment}"


def start_name(rule: Rule) -> str:
    """The procedure that chooses the object before the program starts."""
    return f"__rule_{rule.name}_start"


class RuleCode:
    """The text of one rule. `native` chooses the form for a compiler; the other form is for verification."""

    def __init__(self, rule: Rule, file: str, entry: str, native: bool) -> None:
        self._rule = rule
        self._file = file.replace("\\", "/").replace('"', "'")
        self._entry = entry
        self._native = native
        self._prefix = f"__rule_{rule.name}"
        self._object_states = [state for state in rule.states.values() if state.per_object]

    def text(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield "extern void __pincer_assert_message(int condition, const char *message);"
        for state in self._rule.states.values():
            if not state.per_object:
                yield f"static {self._declaration(state, self._global(state))};"
        if self._object_states:
            yield from self._table() if self._native else self._watched()
            yield from self._start()
        for handler in self._rule.handlers:
            yield from self._handler(handler)

    def _watched(self) -> Iterator[str]:
        yield f"static void *{self._prefix}_object;"
        yield f"static _Bool {self._prefix}_seen;"
        for state in self._object_states:
            yield f"static {self._declaration(state, self._global(state))};"

    def _table(self) -> Iterator[str]:
        yield "extern void abort(void);"
        yield f"static struct {self._prefix}_entry {{"
        yield "    void *object;"
        for state in self._object_states:
            yield f"    {_declare(state.type, str(state.name))};"
        yield f"}} {self._prefix}_entries[{_TABLE_SIZE}];"
        yield f"static int {self._prefix}_count;"
        yield f"static struct {self._prefix}_entry *{self._prefix}_find(void *object)"
        yield "{"
        yield f"    for (int i = 0; i < {self._prefix}_count; i++)"
        yield f"        if ({self._prefix}_entries[i].object == object) return &{self._prefix}_entries[i];"
        yield f"    if ({self._prefix}_count == {_TABLE_SIZE}) abort();"
        yield f"    struct {self._prefix}_entry *entry = &{self._prefix}_entries[{self._prefix}_count++];"
        yield "    entry->object = object;"
        for state in self._object_states:
            yield f"    entry->{state.name} = {self._initial(state)};"
        yield "    return entry;"
        yield "}"

    def _start(self) -> Iterator[str]:
        """Choose the object, once: an entry function that calls itself does not choose again."""
        yield "extern void *__VERIFIER_nondet_pointer(void);"
        yield f"static _Bool {self._prefix}_started;"
        yield f"static void {start_name(self._rule)}(void)"
        yield "{"
        yield f"    if (!{self._prefix}_started) {{"
        yield f"        {self._prefix}_started = 1;"
        choice = "__VERIFIER_nondet_pointer();"
        yield f"        (void){choice}" if self._native else f"        {self._prefix}_object = {choice}"
        yield "    }"
        yield "}"

    def _handler(self, handler: Handler) -> Iterator[str]:
        values = ", ".join(self._value(handler, number) for number in range(1, len(handler.values) + 1))
        yield f"static void {handler_name(self._rule, handler)}({values or 'void'})"
        yield "{"
        if self._object_states and handler.function == self._entry and handler.moment == "on_entry":
            yield f"    {start_name(self._rule)}();"
        body = self._statements(handler.body)
        if handler.object is None and not uses_object_state(self._rule, handler):
            yield from body
        else:
            yield from self._for_object(handler, body)
        yield "}"

    def _for_object(self, handler: Handler, body: Iterator[str]) -> Iterator[str]:
        """The body for the object of an argument, or for every object seen so far."""
        entry = f"struct {self._prefix}_entry *__rule_entry"
        if handler.object is not None:
            address = _mangled(handler.parameters[_number(handler) - 1], _number(handler))
            if self._native:
                yield f"    {{ {entry} = {self._prefix}_find({address});"
            else:
                yield f"    if ({address} == {self._prefix}_object) {{ {self._prefix}_seen = 1;"
        elif self._native:
            yield f"    for (int __rule_i = 0; __rule_i < {self._prefix}_count; __rule_i++) {{"
            yield f"    {entry} = &{self._prefix}_entries[__rule_i];"
        else:
            yield f"    if ({self._prefix}_seen) {{"
        yield from body
        yield "    }"

    def _value(self, handler: Handler, number: int) -> str:
        parameter = handler.values[number - 1]
        is_object = handler.object is not None and number == _number(handler)
        default = "void *" if is_object else "long long" if parameter.name == "_" else "int"
        return _declare(parameter.type or default, _mangled(parameter, number))

    def _statements(self, statements: tuple[Statement, ...]) -> Iterator[str]:
        for statement in statements:
            match statement:
                case Assertion(condition, message, at):
                    yield self._line_of(at)
                    text = f"{self._rule.name}: {message}"
                    yield f'    __pincer_assert_message(({self._expression(condition)}) != 0, "{text}");'
                case RuleAssignment(target, value):
                    yield self._line_of(target)
                    yield f"    {self._name(str(target))} = {self._expression(value)};"
                case RuleConditional(condition, then, otherwise):
                    yield self._line_of(condition[0])
                    yield f"    if ({self._expression(condition)}) {{"
                    yield from self._statements(then)
                    yield "    } else {"
                    yield from self._statements(otherwise)
                    yield "    }"

    def _line_of(self, token: Token) -> str:
        return f'#line {token.line} "{self._file}"'

    def _expression(self, expression: Expression) -> str:
        return " ".join(self._name(str(token)) if token.type == "NAME" else str(token) for token in expression)

    def _name(self, name: str) -> str:
        if name in self._rule.constants:
            return f"({self._expression(self._rule.constants[name])})"
        if name not in self._rule.states:
            return f"__rule_value_{name}"
        state = self._rule.states[name]
        return f"__rule_entry->{name}" if state.per_object and self._native else self._global(state)

    def _global(self, state: RuleVariable) -> str:
        return f"{self._prefix}_state_{state.name}"

    def _declaration(self, state: RuleVariable, name: str) -> str:
        return f"{_declare(state.type, name)} = {self._initial(state)}"

    def _initial(self, state: RuleVariable) -> str:
        return self._expression(state.initial) or "0"


def _number(handler: Handler) -> int:
    assert handler.object is not None
    return int(handler.object.rstrip("uUlL"), 0)


def _mangled(parameter: HandlerParameter, number: int) -> str:
    return f"__rule_unused_{number}" if parameter.name == "_" else f"__rule_value_{parameter.name}"


def _declare(type_: str, name: str) -> str:
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}"
