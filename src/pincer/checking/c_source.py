"""A C program as a task names it: read once, lowered once, and seen by each of its properties in its own way."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pincer.checking.properties import (
    ASSERTIONS,
    CProperty,
    distinct,
    instrumentation,
    lines_property,
    property_named,
    rule_property,
)
from pincer.checking.task import TASKS, Source, Task
from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import instrumented
from pincer.program.property import DataModel
from pincer.program.registers import Role, has_role


@dataclass(frozen=True)
class CSource:
    """A C program and its properties; `file` is what the user named, `source` the C text."""

    file: str
    source: Path
    data_model: DataModel = "LP64"
    entry: str = "main"
    include: tuple[Path, ...] = ()
    properties: tuple[CProperty, ...] = (ASSERTIONS,)
    sha256: str = ""
    _ruled: dict[Path, ControlFlowProgram] = field(default_factory=dict, compare=False, repr=False)

    def described(self) -> dict[str, Any]:
        """The `program` member of the JSON output."""
        return {
            "file": str(self.source),
            "sha256": self.sha256,
            "constants": {},
            "language": "C",
            "data_model": self.data_model,
            "entry": self.entry,
            "include": [str(folder) for folder in self.include],
        }

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(wanted.name for wanted in self.properties)

    @property
    def preprocessor(self) -> tuple[str, ...]:
        """The arguments a compiler needs to read the program."""
        return tuple(f"-I{folder.absolute()}" for folder in self.include)

    @cached_property
    def lowered(self) -> ControlFlowProgram:
        """The program before any property has looked at it."""
        return load(self.source, data_model=self.data_model, entry=self.entry, include=self.include)

    def program(self, wanted: CProperty) -> ControlFlowProgram:
        """The program as a property sees it: with its rule tied in, and without the errors it does not ask about."""
        program = self.lowered if wanted.rule is None else self._with_rule(wanted.rule)
        return instrumented(program, wanted.meaning())

    def _with_rule(self, path: Path) -> ControlFlowProgram:
        """The handlers of a rule are C text that is lowered with the program."""
        from pincer.frontends.c.rules import check_against

        if path in self._ruled:
            return self._ruled[path]
        rule = instrumentation(path, self.entry)
        program = load(
            self.source,
            data_model=self.data_model,
            entry=self.entry,
            hooks=rule.hooks,
            extra=rule.text,
            include=self.include,
        )
        # A function that returns a record gets one register more: where the record goes.
        counts = {
            name: sum(not has_role(register, Role.INTO) for register in procedure.parameters)
            for name, procedure in program.procedures.items()
        }
        check_against(rule, counts)
        self._ruled[path] = program
        return program


def hash_of(source: Path) -> str:
    """The SHA-256 of a file."""
    try:
        return hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError as error:
        raise PincerError(f"cannot read {source}: {error.strerror}; check the name and the permissions") from error


def c_source(source: Source) -> CSource:
    """The program, with the properties of its task if the source is one, else `assertions`."""
    if source.defines:
        raise PincerError("-D gives a constant of a .gcl program another value; a C program defines its own names")
    file = Path(source.file)
    found = _task(file) if file.suffix in TASKS else CSource(source.file, file)
    return replace(
        found,
        data_model=source.data_model or found.data_model,
        entry=source.entry or found.entry,
        include=tuple(map(Path, source.include)),
        sha256=hash_of(found.source),
    )


def _task(file: Path) -> CSource:
    """What an SV-COMP task asks for: of its properties, those that C programs can be checked for."""
    from pincer.frontends.svcomp import load_task

    task = load_task(file)
    found: list[CProperty] = []
    refusals: list[UnsupportedError] = []
    for item in task.properties:
        try:
            found.append(property_named(str(item.property_file)))
        except UnsupportedError as refusal:
            refusals.append(refusal)
    if refusals and not found:
        raise refusals[0]
    return CSource(str(file), task.source, task.data_model, properties=distinct(found) or (ASSERTIONS,))


def asked_source(task: Task) -> CSource:
    """The program of a task and what the task asks about it."""
    engine, asked = task.options.engine, task.asked
    if engine not in ("auto", "dash", "agse"):
        raise PincerError(f"the engine {engine} is not for C programs; they are checked by dash and agse")
    chosen = [*map(property_named, asked.properties), *(rule_property(Path(text)) for text in asked.rules)]
    source = c_source(task.source)
    properties = distinct(chosen) or source.properties
    if asked.targets:
        if chosen or engine == "dash":
            raise PincerError(
                "--target is a question of its own, for the engine agse: leave out --property, --rule and --engine"
            )
        properties = (lines_property(asked.targets, source.source),)
    entries = [wanted.entry for wanted in properties if wanted.entry]
    entry = task.source.entry or (entries[0] if entries else source.entry)
    return replace(source, properties=properties, entry=entry)
