"""API rules: what a C program may do with an interface, checked without changing the program's text.

A rule file declares state variables and says what happens to them, and what must hold, around calls. It becomes C text
to be read after the program's own, and hooks that tie the handlers in it to the program's functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.rules.checks import check_rule
from pincer.frontends.c.rules.code import RuleCode, handler_name, start_name
from pincer.frontends.c.rules.syntax import Rule, RuleSource, read_rule


class ResultUse(Struct, frozen=True):
    """A handler that names a function's result, and so relies on its number of parameters."""

    function: str
    parameters: int
    position: Position
    excerpt: str


class Instrumentation(Struct, frozen=True):
    """A rule, ready to be joined to a program.

    `text` is C for the verifier: it needs nothing of the program, and reports a broken rule by calling
    `__pincer_assert_message(condition, message)` with a condition that is zero. `native` is C that behaves the same
    when it is compiled and run. Both change the current line (`#line`), so they follow the program's text. `hooks`
    says which handlers belong to which function, `uses` what `check_against` holds against the program.
    """

    name: str
    description: str
    text: str
    native: str
    hooks: Mapping[str, Hook]
    uses: tuple[ResultUse, ...] = ()


def load_rules(path: Path | str, entry: str = "main") -> Instrumentation:
    """Read a rule file, for a program that starts in the function `entry`."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as mistake:
        raise PincerError(f"the rule file {path} cannot be read: {mistake.strerror}; check the path") from None
    except UnicodeDecodeError:
        raise PincerError(f"the rule file {path} is not UTF-8 text; save it as UTF-8") from None
    return parse_rules(text, str(path), entry)


def parse_rules(text: str, file: str, entry: str = "main") -> Instrumentation:
    """Read a rule from its text; `file` is its name in messages."""
    source = RuleSource(file, text)
    rule = read_rule(source)
    check_rule(source, rule)
    return Instrumentation(
        name=str(rule.name),
        description=rule.description,
        text=RuleCode(rule, file, entry, native=False).text(),
        native=RuleCode(rule, file, entry, native=True).text(),
        hooks=_hooks(rule, entry),
        uses=tuple(_uses(source, rule)),
    )


def check_against(instrumentation: Instrumentation, parameters: Mapping[str, int]) -> None:
    """Hold a rule against the functions of a program, given as their numbers of parameters.

    The result is passed after all parameters, so a rule that names it must list them all. A function that the program
    does not have is no mistake: a program need not use all of an interface.
    """
    for use in instrumentation.uses:
        actual = parameters.get(use.function, use.parameters)
        if actual != use.parameters:
            message = f"`{use.function}` has {actual} parameters, the rule lists {use.parameters}"
            raise PincerError(
                f"{message}; list all before `giving`, with `_` for those not used", use.position, use.excerpt
            )


def _uses(source: RuleSource, rule: Rule) -> Iterator[ResultUse]:
    for handler in rule.handlers:
        if handler.result is not None:
            position = source.position(handler.function)
            yield ResultUse(str(handler.function), len(handler.parameters), position, source.line(position.line))


def _hooks(rule: Rule, entry: str) -> dict[str, Hook]:
    """Handlers by function and moment; a rule about objects also begins with the program."""
    moments: dict[str, dict[str, str]] = {}
    for handler in rule.handlers:
        moments.setdefault(str(handler.function), {})[handler.moment] = handler_name(rule, handler)
    if any(state.per_object for state in rule.states.values()):
        moments.setdefault(entry, {}).setdefault("on_entry", start_name(rule))
    return {function: Hook(**names) for function, names in moments.items()}
