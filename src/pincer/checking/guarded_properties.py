"""What is asked about a program of guarded commands: properties by name, by formula, or in files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from pincer.checking.task import TEMPORAL_FILES
from pincer.engines.live.question import read
from pincer.errors import PincerError, Position
from pincer.frontends.gcl import asked_property, parse_formula
from pincer.program.guarded import FiniteType, GuardedProgram, TemporalProperty
from pincer.runtime.files import did_you_mean
from pincer.temporal.property import stated_blocks
from pincer.temporal.stutter import REPEATED, repeating_the_last
from pincer.temporal.text import formula_text

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[-0-9,]*\])?")
TERMINATION = "termination"


def selected(program: GuardedProgram, wanted: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[TemporalProperty, ...]]:
    """The safety properties to decide, in the program's order, and the temporal ones; all if nothing is asked."""
    safety = [item.name for item in program.properties]
    declared = {item.name: item for item in program.temporal}
    if not wanted and not safety and not declared:
        raise PincerError("nothing to check: add a property such as `safety ok: x >= 0;` to the program")
    chosen: dict[str, TemporalProperty] = {} if wanted else dict(declared)
    names: set[str] = set() if wanted else set(safety)
    for text in wanted:
        if text in safety:
            names.add(text)
            continue
        for found in _asked(program, text):
            chosen[found.name] = found
    for item in chosen.values():
        read(item)
    return tuple(name for name in safety if name in names), tuple(chosen.values())


def with_last_repeated(wanted: TemporalProperty) -> TemporalProperty:
    """The formula for words that end, where the last state is to be repeated for ever; whether runs end is asked as it
    is."""
    if wanted.name == TERMINATION:
        return wanted
    text = formula_text(repeating_the_last(read(wanted).formula))
    return replace(wanted, name=f"{wanted.name} {REPEATED}", text=text)


def _asked(program: GuardedProgram, text: str) -> Iterator[TemporalProperty]:
    """A file, a declared name (of an array of properties: all of them), a keyword, or a formula, in this order."""
    if Path(text).suffix in TEMPORAL_FILES and Path(text).is_file():
        yield from _in_file(program, Path(text))
        return
    named = [item for item in program.temporal if item.name == text or item.name.startswith(f"{text}[")]
    if named:
        yield from named
    elif text == TERMINATION:
        yield asked_property(program, "<>empty", TERMINATION, Position("<property>", 1, 1), {})
    elif _NAME.fullmatch(text) and not _is_condition(program, text):
        known = [*(item.name for item in program.properties), *(item.name for item in program.temporal)]
        hint = did_you_mean(text, known) or f"; it has {', '.join(known) or 'none'}"
        raise PincerError(f"there is no property {text!r} in this program{hint}")
    else:
        yield asked_property(program, text, " ".join(text.split()), Position("<property>", 1, 1), {})


def _is_condition(program: GuardedProgram, name: str) -> bool:
    """Whether a name is that of a Boolean variable, which is a formula by itself."""
    types = {variable.name: variable.type for variable in program.variables}
    return isinstance(kind := types.get(name), FiniteType) and kind.is_bool


def _in_file(program: GuardedProgram, path: Path) -> Iterator[TemporalProperty]:
    """The formulas of a property file, with what it defines."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise PincerError(f"{path} is not a text file in UTF-8 that can be read; save it as UTF-8") from None
    blocks = stated_blocks(text, str(path))
    for number, block in enumerate(blocks, 1):
        defines = {define.name: parse_formula(define.text, program, in_property=True) for define in block.defines}
        name = path.stem if len(blocks) == 1 else f"{path.stem} {number}"
        yield asked_property(program, block.text, name, block.position, defines)
