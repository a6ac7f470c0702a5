"""What functions without a body store in a test: to which of their arguments, or to which object, and where there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from pincer.evidence.c.records import member
from pincer.evidence.c.trace import InputValue

_STORED = re.compile(
    r"(?:byte (?P<offset>\d+) of |(?P<bytes>bytes of ))?"
    r"(?P<before>what is before )?(?:argument (?P<argument>\d+) of|(?P<object>\w+) by) (?P<name>\w+)"
)
_ACT = re.compile(r"(?:call of argument (?P<called>\d+)|(?P<what>number|argument) passed) by (?P<name>\w+)")
MOST_ARGUMENTS = 6


class Act(Enum):
    """What a function does with a recorded value besides returning it."""

    STORES = 0
    CALLS = 1
    """It calls one of its arguments, or does not, as the value says."""
    PASSES_NUMBER = 2
    PASSES_ARGUMENT = 3
    RETURNS = 4
    """It is at an offset of the structure that the function returns."""


class Write(Struct, frozen=True):
    """One piece of memory that a function stores to, at an offset from an argument or in a variable; or another act."""

    function: str
    argument: int | None = None
    object: str | None = None
    offset: int = 0
    act: Act = Act.STORES


def is_stored(value: InputValue) -> bool:
    """Whether a function without a body stores this value."""
    known = _STORED.fullmatch(value.source) is not None or _other_act(value) is not None
    return value.kind == "external" and known


def _other_act(value: InputValue) -> Write | None:
    returned = member(value)
    if returned is not None:
        return Write(returned[0], offset=returned[1], act=Act.RETURNS)
    found = _ACT.fullmatch(value.source) if value.kind == "external" else None
    if found is None:
        return None
    if found["called"] is not None:
        return Write(found["name"], int(found["called"]), act=Act.CALLS)
    return Write(found["name"], act=Act.PASSES_NUMBER if found["what"] == "number" else Act.PASSES_ARGUMENT)


def writes(values: Iterable[InputValue]) -> list[Write | None]:
    """For each input, the piece that it is stored to; None for what is returned.

    Bytes without an offset follow each other; those before an argument end there."""
    found: list[Write | None] = []
    last: tuple[Write, bool] | None = None
    run = 0
    for value in values:
        other = _other_act(value)
        if other is not None:
            last = None
            found.append(other)
            continue
        stored = _STORED.fullmatch(value.source) if value.kind == "external" else None
        if stored is None or int(stored["argument"] or 0) >= MOST_ARGUMENTS:
            last = None
            found.append(None)
            continue
        argument = None if stored["argument"] is None else int(stored["argument"])
        whole, before = Write(stored["name"], argument, stored["object"]), stored["before"] is not None
        run = run + 1 if stored["bytes"] and (whole, before) == last else 0
        if before:
            # Each further byte moves those of its run that came earlier away from the argument.
            found[len(found) - run :] = [
                replace(item, offset=item.offset - 1) for item in found[len(found) - run :] if item
            ]
            found.append(replace(whole, offset=-1))
        else:
            found.append(replace(whole, offset=run if stored["bytes"] else int(stored["offset"] or 0)))
        last = whole, before
    return found


def writing_function(name: str, result: str) -> str:
    """A function that stores what is recorded, then returns what is recorded."""
    numbers = range(MOST_ARGUMENTS)
    parameters = ", ".join(f"unsigned long a{i}" for i in numbers)
    given = ", ".join(f"a{i}" for i in numbers)
    return (
        f"{result} {name}({parameters}) {{ unsigned long given[] = {{{given}}}; "
        f'__pincer_write_all("{name}", given); '
        f'return ({result})(__pincer_is_next("{name}") ? __pincer_take("{name}") : 0); }}'
    )
