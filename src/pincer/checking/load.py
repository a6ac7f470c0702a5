"""From a task to the program it is about, read and lowered once for all its properties.

Each language brings its own front end, which is loaded when it is needed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.properties import (
    ASSERTIONS,
    OF_THREADS,
    WHAT_CAN_GO_WRONG,
    CProperty,
    distinct,
    instrumentation,
    is_there,
    lines_property,
    properties_named,
    property_named,
    rule_property,
)
from pincer.checking.task import TASKS, Language, Source, Task
from pincer.errors import PincerError, UnsupportedError
from pincer.program.c_file import NO_FLAGS, CFile, CFlags
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import instrumented
from pincer.program.property import DataModel
from pincer.program.registers import Role, has_role
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.files import content_of, no_such_file
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.frontends.c.asked_formula import CFormula
    from pincer.frontends.msvl import Program
    from pincer.program.guarded import GuardedProgram, TemporalProperty
    from pincer.temporal.property import Property


class CSource(Struct, frozen=True, dict=True):
    """A C program and its properties; `file` is what the user named, `source` the C text, `others` that of the further
    files of the program. An entry that was given with `arguments` is a function in the `added` text."""

    file: str
    source: Path
    data_model: DataModel = "LP64"
    entry: str = "main"
    flags: CFlags = NO_FLAGS
    others: tuple[CFile, ...] = ()
    properties: tuple[CProperty, ...] = (ASSERTIONS,)
    sha256: str = ""
    arguments: str = ""
    added: str = ""
    _ruled: dict[Path, ControlFlowProgram] = {}

    def described(self) -> dict[str, Any]:
        """The `program` member of the JSON output."""
        return {
            "file": str(self.source),
            **({"files": [file.path for file in self.files]} if self.others else {}),
            "sha256": self.sha256,
            "constants": {},
            "language": "C",
            "data_model": self.data_model,
            "entry": self.arguments or self.entry,
            "include": list(self.flags.include),
            "macros": dict(self.flags.macros),
            **({"malloc_may_fail": True} if self.flags.malloc_may_fail else {}),
            **({"externals": self.flags.externals} if self.flags.externals != "keep" else {}),
        }

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(wanted.name for wanted in self.properties)

    @property
    def preprocessor(self) -> tuple[str, ...]:
        """The arguments a compiler needs to read the program."""
        return self.flags.compiler_words()

    @property
    def files(self) -> tuple[CFile, ...]:
        """All files of the program, each as it is read."""
        return (CFile(str(self.source), self.flags, added=self.added), *self.others)

    @cached_property
    def lowered(self) -> ControlFlowProgram:
        """The program before any property has looked at it."""
        from pincer.analysis.relaxed_orders import with_relaxed_orders_judged
        from pincer.frontends.c.load import load

        return with_relaxed_orders_judged(load(self.files, data_model=self.data_model, entry=self.entry))

    def program(self, wanted: CProperty) -> ControlFlowProgram:
        """The program as a property sees it: with its rule tied in, and without the errors it does not ask about."""
        if wanted.formula is not None:
            program = self._observed(wanted.formula)
        else:
            program = self.lowered if wanted.rule is None else self._with_rule(wanted.rule)
        return instrumented(program, wanted.meaning())

    def _observed(self, formula: CFormula) -> ControlFlowProgram:
        """The predicates of a formula are C text that is lowered with the program."""
        from pincer.analysis.relaxed_orders import with_relaxed_orders_judged
        from pincer.frontends.c.observed import load_observed

        found = load_observed(self.files, formula, self.lowered, data_model=self.data_model, entry=self.entry)
        return with_relaxed_orders_judged(found)

    def _with_rule(self, path: Path) -> ControlFlowProgram:
        """The handlers of a rule are C text that is lowered with the program."""
        from pincer.frontends.c.load import load
        from pincer.frontends.c.rules import check_against

        if path in self._ruled:
            return self._ruled[path]
        rule = instrumentation(path, self.entry)
        program = load(
            self.files,
            data_model=self.data_model,
            entry=self.entry,
            hooks=rule.hooks,
            extra=rule.text,
        )
        # Some functions get registers besides their parameters: where a record goes, where further arguments are.
        counts = {
            name: sum(not has_role(register, Role.INTO, Role.ARGUMENTS) for register in procedure.parameters)
            for name, procedure in program.procedures.items()
        }
        check_against(rule, counts)
        self._ruled[path] = program
        return program


def hash_of(source: Path) -> str:
    """The SHA-256 of a file."""
    try:
        return hashlib.sha256(content_of(source)).hexdigest()
    except OSError as error:
        raise PincerError(no_such_file(Path(source), error.strerror)) from error


def hash_of_all(files: Sequence[Path]) -> str:
    """The hash of a program: that of its file, or of the hashes of its files."""
    hashes = [hash_of(file) for file in files]
    return hashes[0] if len(hashes) == 1 else _hash("\n".join(hashes).encode("ascii"))


def c_source(source: Source) -> CSource:
    """The program, with the properties of its task if the source is one, else `assertions`."""
    file = Path(source.file)
    _check_models(source)
    found = _task(file) if file.suffix in TASKS else CSource(source.file, file)
    others = source.others or tuple(replace(other, flags=source.flags) for other in found.others)
    whole = replace(
        found,
        data_model=source.data_model or found.data_model,
        entry=source.entry or found.entry,
        flags=source.flags,
        others=others,
        sha256=hash_of_all([found.source, *(Path(other.path) for other in others)]),
    )
    return with_arguments(whole, whole.entry) if "(" in whole.entry else whole


def with_arguments(source: CSource, entry: str) -> CSource:
    """The program with an entry that is given arguments: the harness that gives them is added."""
    from pincer.frontends.c.entry_harness import entry_harness

    made = entry_harness(entry, source.files[0], source.data_model)
    return replace(source, entry=made.entry, arguments=entry, added=made.text)


def _check_models(source: Source) -> None:
    """The files of a program have one data model."""
    model = source.data_model or "LP64"
    for other in source.others:
        if other.data_model is not None and other.data_model != model:
            message = f"the files of a program have one data model, but {source.file} is compiled for {model} and "
            raise PincerError(f"{message}{other.path} for {other.data_model}; choose one with --data-model")


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
    others = tuple(CFile(str(other)) for other in task.others)
    properties = distinct(found) or (ASSERTIONS,)
    return CSource(str(file), task.source, task.data_model, others=others, properties=properties)


def asked_source(task: Task) -> CSource:
    """The program of a task and what the task asks about it."""
    engine, asked = task.options.engine, task.asked
    if engine not in ("auto", "dash", "agse"):
        raise PincerError(f"the engine {engine} is not for C programs; they are checked by dash and agse")
    named = (wanted for text in asked.properties for wanted in properties_named(text))
    chosen = [*named, *(rule_property(Path(text)) for text in asked.rules)]
    source = c_source(task.source)
    properties = distinct(chosen) or _stated(task, source)
    if asked.stutter_end:
        properties = tuple(map(_with_last_repeated, properties))
    if asked.targets:
        if chosen or engine == "dash":
            raise PincerError(
                "--target is a question of its own, for the engine agse: leave out --property, --rule and --engine"
            )
        properties = (lines_property(asked.targets, source.source),)
    entries = [wanted.entry for wanted in properties if wanted.entry]
    entry = source.entry if task.source.entry or not entries else entries[0]
    return replace(source, properties=properties, entry=entry)


def _with_last_repeated(wanted: CProperty) -> CProperty:
    if wanted.formula is None:
        return wanted
    from pincer.frontends.c.formulas import with_last_repeated
    from pincer.temporal.stutter import REPEATED

    return replace(wanted, name=f"{wanted.name} {REPEATED}", formula=with_last_repeated(wanted.formula))


def _stated(task: Task, source: CSource) -> tuple[CProperty, ...]:
    """What is decided when nothing is asked: what an SV-COMP task states, or else all that can go wrong.

    The algorithm of the paper is one for assertions."""
    if Path(source.file).suffix in TASKS or task.options.paper:
        return source.properties
    return WHAT_CAN_GO_WRONG


def _with_threads(source: CSource, engine: str) -> CSource:
    """A program about which nothing was asked: with threads, more can go wrong."""
    threads = any(isinstance(edge.label, ThreadOperation) for edge in source.lowered.edges())
    if source.properties != WHAT_CAN_GO_WRONG or not threads or engine == "dash":
        return source
    more = replace(source, properties=(*source.properties, *OF_THREADS))
    vars(more)["lowered"] = source.lowered
    return more


_WHOLE = re.compile(r"[+-]?[0-9]+")
TRANSLATED = " as MSVL"
"""What follows the name of a C file when its translation is meant."""


class GuardedSource(Struct, frozen=True):
    """A program of guarded commands, the names of the safety properties to decide, and the temporal properties."""

    program: GuardedProgram
    safety: tuple[str, ...]
    temporal: tuple[TemporalProperty, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.safety, *(wanted.name for wanted in self.temporal))

    def described(self) -> dict[str, Any]:
        """The `program` member of the JSON output."""
        program = self.program
        return {"file": program.file, "sha256": program.sha256, "constants": dict(program.constants)}


class TemporalSource(Struct, frozen=True):
    """An MSVL program, perhaps a translation, with temporal properties; `int32` says how its integers behave."""

    file: str
    sha256: str
    program: Program
    properties: tuple[Property, ...]
    int32: bool
    is_translated: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        if len(self.properties) == 1:
            return ("property",)
        return tuple(f"property {number}" for number in range(1, len(self.properties) + 1))

    def described(self) -> dict[str, Any]:
        """The `program` member of the JSON output."""
        language = "C" if self.is_translated else "MSVL"
        return {"file": self.file, "sha256": self.sha256, "constants": {}, "language": language}


LoadedSource: TypeAlias = GuardedSource | CSource | TemporalSource


def load(task: Task, run: Run) -> LoadedSource:
    """The program of a task and the properties that it asks about."""
    language = task.source.language
    _check_asked(task, language)
    if language == "msvl" or task.options.engine == "dse":
        run.publish("msvl", "reading the program")
        return _temporal_source(task)
    if language == "c":
        source = asked_source(task)
        run.publish("c", "reading the program")
        source.program(source.properties[0])
        return source if task.asked.properties else _with_threads(source, task.options.engine)
    return _guarded_source(task, run)


def _check_asked(task: Task, language: Language) -> None:
    """Refuse what no program of the language can be asked."""
    if not all(text.strip() for text in task.asked.properties):
        raise PincerError("--property is empty; name a property, a file with one, or write a formula")
    if task.options.fairness is None:
        return
    if language == "gcl":
        raise PincerError("--fairness is for C programs with threads; a .gcl program says `fairness weak P;` itself")
    if language == "msvl" or task.options.engine == "dse":
        raise PincerError(
            "--fairness is for C programs with threads; what runs beside in MSVL (`||`) goes in lock step"
        )


def _guarded_source(task: Task, run: Run) -> GuardedSource:
    from pincer.checking.guarded_properties import selected, with_last_repeated
    from pincer.frontends.gcl import load

    if task.options.engine not in ("auto", "ase", "ur"):
        raise PincerError(f"the engine {task.options.engine} is not for .gcl programs; they are checked by ase or ur")
    run.publish("gcl", "reading the program")
    program = load(Path(task.source.file), constants_of(task.source))
    safety, temporal = selected(program, task.asked.properties)
    if task.asked.stutter_end:
        temporal = tuple(map(with_last_repeated, temporal))
    return GuardedSource(program, safety, temporal)


def constants_of(source: Source) -> dict[str, int]:
    """The values that `-D` gives constants of guarded commands."""
    found: dict[str, int] = {}
    for name, text in source.flags.macros:
        if text is None or _WHOLE.fullmatch(text) is None:
            given = f"-U {name}" if text is None else f"-D {name}={text}"
            raise PincerError(f"{given} is for C programs; a constant of a .gcl program gets a value with -D NAME=INT")
        found[name] = int(text)
    return found


def _temporal_source(task: Task) -> TemporalSource:
    from pincer.engines.dse.propositions import check_conditions

    if task.options.engine not in ("auto", "dse"):
        raise PincerError(f"the engine {task.options.engine} is not for MSVL programs; they are checked by dse")
    if task.asked.stutter_end:
        raise PincerError("--stutter-end is for formulas about guarded commands and C programs")
    path, files = Path(task.source.file), task.asked.properties
    found = _translated(path, files) if task.source.language == "c" else _msvl(path, files, task.options.int32)
    if not found.properties:
        raise PincerError("nothing to check: add a block `</ define p: x=1; alw(p) />`, or name a file with --property")
    for wanted in found.properties:
        check_conditions(found.program, wanted)
    return found


def _msvl(path: Path, files: tuple[str, ...], int32: bool) -> TemporalSource:
    """A program of MSVL, with the properties in the files that were named, otherwise those in its own blocks."""
    from pincer.frontends.msvl import load_file
    from pincer.temporal.property import parse_properties

    file = load_file(path)
    properties = property_files(files) if files else parse_properties(file.text, str(path))
    return TemporalSource(str(path), file.sha256, file.program, properties, int32)


def property_files(files: tuple[str, ...]) -> tuple[Property, ...]:
    """The temporal properties of files, and formulas in place of them."""
    from pincer.frontends.msvl.asked import asked_property, is_formula
    from pincer.temporal.property import parse_property_file

    found: list[Property] = []
    for name in files:
        if not is_there(name):
            if not is_formula(name) and name != "termination":
                raise PincerError(
                    f"there is no file {name}; --property names a file with a temporal property (.p), termination, "
                    "or is a formula such as '[]{x >= 0}'"
                )
            found.append(asked_property("<>empty" if name == "termination" else name))
            continue
        try:
            text = Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise PincerError(f"{name} is not a text file in UTF-8; save it as UTF-8") from None
        found += parse_property_file(text, name)
    return tuple(found)


def _translated(path: Path, files: tuple[str, ...]) -> TemporalSource:
    """A C program as an MSVL program, with a property over C variables or that no assertion fails."""
    from pincer.frontends.msvl import parse_program
    from pincer.frontends.msvl.from_c import translate_with_property, translation
    from pincer.temporal.property import parse_properties

    if len(files) > 1:
        raise PincerError("one property file at a time: --property FILE.p")
    made = translate_with_property(path, Path(files[0])) if files else translation(path)
    text = made.text if files else made.headed()
    name = f"{path}{TRANSLATED}"
    program, properties = parse_program(text, name), parse_properties(text, name)
    return TemporalSource(str(path), _hash(content_of(path)), program, properties, made.int32, is_translated=True)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
