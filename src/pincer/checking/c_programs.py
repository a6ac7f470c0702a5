"""A C program as a request names it: how to load it, and what is to be decided about it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.checking.sources import TASKS
from pincer.errors import PincerError, Position, UnsupportedError
from pincer.program.property import DataModel, PropertyKind
from pincer.program.registers import Role, has_role

if TYPE_CHECKING:
    from pincer.evidence.c.trace import CTest
    from pincer.frontends.c.rules import Instrumentation
    from pincer.program.control_flow import ControlFlowProgram
    from pincer.program.passes import CProgramProperty


_FORMULAS: Mapping[PropertyKind, tuple[str, ...]] = {
    "assertions": ("! call(reach_error())",),
    "memory": ("valid-deref", "valid-free"),
    "race": ("! data-race",),
    "deadlock": ("! deadlock",),
}
"""What there is to decide, by its name, and how SV-COMP writes it."""
TARGETS = ("reach_error", "__VERIFIER_error", "ERROR")
"""Functions and labels whose reaching is a violation of `assertions`."""
UNREACH_CALL = "unreach-call"


@dataclass(frozen=True, slots=True)
class CProperty:
    """One thing to decide.

    A `rule` limits `assertions` to those of the rule. `categories` limit `memory` to some kinds of undefined behaviour
    (all when empty), and `assertions` to calls of error functions unless "assert" is among them. `undecidable` names
    what the property asks about leaks, which is decided only where nothing is allocated. `targets` make of
    `assertions` the question whether threads can be at these lines at the same time.
    """

    name: str
    kind: PropertyKind
    rule: Path | None = None
    categories: frozenset[str] = frozenset()
    undecidable: str = ""
    entry: str = ""
    specification: str = ""
    targets: tuple[Position, ...] = ()

    def specification_for(self, entry: str) -> str:
        """The property in the words of SV-COMP, for witnesses."""
        if self.rule is not None or self.targets:
            raise PincerError(f"SV-COMP's witnesses cannot state {self.name}; leave --witness out for it")
        if self.specification:
            return self.specification
        return "\n".join(f"CHECK( init({entry}()), LTL(G {formula}) )" for formula in _FORMULAS[self.kind])

    def meaning(self) -> CProgramProperty:
        """What counts as an error."""
        from pincer.program import passes

        if self.kind == "race":
            return passes.Races()
        if self.kind == "deadlock":
            return passes.Deadlocks()
        if self.kind == "memory":
            return passes.memory_safety(self.categories)
        if self.rule is not None:
            return passes.KeptRule()
        if self.targets:
            return passes.LinesApart(self.targets)
        asserts = not self.categories or "assert" in self.categories
        return passes.Assertions() if asserts else passes.CALLS_OF_ERROR_FUNCTIONS

    def to_json(self) -> dict[str, Any]:
        """What is needed besides the program to load it for this property again."""
        return {"rule": str(self.rule) if self.rule else None, "categories": sorted(self.categories)}


@dataclass(frozen=True, slots=True)
class CTarget:
    """A C program and its properties; `file` is what the user named, `source` the C text."""

    file: str
    source: Path
    data_model: DataModel = "LP64"
    entry: str = "main"
    include: tuple[Path, ...] = ()
    properties: tuple[CProperty, ...] = ()
    sha256: str = field(default="")

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
    def preprocessor(self) -> tuple[str, ...]:
        """The arguments a compiler needs to read the program."""
        return tuple(f"-I{folder.absolute()}" for folder in self.include)

    def load(self, wanted: CProperty) -> ControlFlowProgram:
        """The program as a property sees it: with its rule tied in, and without the errors it does not ask about."""
        from pincer.frontends.c.load import load
        from pincer.program.passes import instrumented

        rule = None if wanted.rule is None else instrumentation(wanted.rule, self.entry)
        program = load(
            self.source,
            data_model=self.data_model,
            entry=self.entry,
            hooks=rule.hooks if rule else {},
            extra=rule.text if rule else "",
            include=self.include,
        )
        if rule is not None:
            _check_rule(rule, program)
        return instrumented(program, wanted.meaning())


ASSERTIONS = CProperty("assertions", "assertions")


def hash_of(source: Path) -> str:
    """The SHA-256 of a file."""
    try:
        return hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError as error:
        raise PincerError(f"cannot read {source}: {error.strerror}; check the name and the permissions") from error


def program_of(request: Mapping[str, Any]) -> CTarget:
    """The program of a request, with the properties of its task if it names one, else `assertions`."""
    if request.get("define"):
        raise PincerError("-D gives a constant of a .gcl program another value; a C program defines its own names")
    file = Path(request["file"])
    target = _task(file) if file.suffix in TASKS else CTarget(str(file), file, properties=(ASSERTIONS,))
    return replace(
        target,
        data_model=request["data_model"] or target.data_model,
        entry=request["entry"] or target.entry,
        include=tuple(map(Path, request["include"])),
        sha256=hash_of(target.source),
    )


def _task(file: Path) -> CTarget:
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
    return CTarget(str(file), task.source, task.data_model, properties=_distinct(found) or (ASSERTIONS,))


def target_of(request: Mapping[str, Any]) -> CTarget:
    """The program of a request and what it asks about it."""
    if request["engine"] not in ("auto", "dash", "agse"):
        raise PincerError(f"the engine {request['engine']} is not for C programs; they are checked by dash and agse")
    chosen = [*map(property_named, request["property"]), *(rule_property(Path(text)) for text in request["rule"])]
    target = program_of(request)
    properties = _distinct(chosen) or target.properties
    if request.get("target"):
        if chosen or request["engine"] == "dash":
            raise PincerError(
                "--target is a question of its own, for the engine agse: leave out --property, --rule and --engine"
            )
        properties = (_lines(request["target"], target.source),)
    entries = [wanted.entry for wanted in properties if wanted.entry]
    entry = request["entry"] or (entries[0] if entries else target.entry)
    return replace(target, properties=properties, entry=entry)


def _lines(texts: Sequence[str], source: Path) -> CProperty:
    """The question whether threads can be at lines, given as FILE:LINE or LINE of the program itself."""
    places = []
    for text in texts:
        file, _, line = text.rpartition(":")
        if not (line.isascii() and line.isdecimal()) or int(line) == 0:
            raise PincerError(f"--target {text}: write FILE:LINE or LINE, with a line number from 1")
        places.append(Position(str(source) if file in ("", source.name) else file, int(line), 1))
    return CProperty("target " + ", ".join(texts), "assertions", targets=tuple(places))


def property_named(text: str) -> CProperty:
    """A property by its name or file: assertions, memory, race, deadlock, FILE.prp, FILE.rule."""
    for kind in _FORMULAS:
        if text == kind:
            return CProperty(text, kind)
    path = Path(text)
    if path.suffix == ".rule":
        return rule_property(path)
    if path.suffix == ".prp":
        return _specified(path)
    raise PincerError(
        f"there is no property {text!r} of C programs; choose {', '.join(_FORMULAS)}, a .prp file or a .rule file"
    )


def _distinct(properties: Sequence[CProperty]) -> tuple[CProperty, ...]:
    return tuple({wanted.name: wanted for wanted in properties}.values())


def _specified(path: Path) -> CProperty:
    """The property a .prp file states."""
    from pincer.frontends.svcomp import load_property

    found = load_property(path)
    kind = found.checked_as()
    if kind == "assertions" and found.target not in TARGETS:
        raise UnsupportedError(
            f"reaching {found.target} is not checked; what can be asked about is {', '.join(TARGETS)}"
        )
    return CProperty(
        found.name,
        kind,
        categories=frozenset(found.parts) - frozenset(found.unmodelled),
        undecidable=", ".join(found.unmodelled),
        entry=found.entry,
        specification=found.specification,
    )


def rule_property(path: Path) -> CProperty:
    """The property that no rule of a file is broken."""
    return CProperty(instrumentation(path, "main").name, "assertions", rule=path)


def instrumentation(path: Path, entry: str) -> Instrumentation:
    """A rule file, for a program that starts in the function `entry`."""
    from pincer.frontends.c.rules import load_rules

    return load_rules(path, entry)


def _check_rule(rule: Instrumentation, program: ControlFlowProgram) -> None:
    """Hold a rule against the functions it speaks of."""
    from pincer.frontends.c.rules import check_against

    # A function that returns a record gets one register more: where the record goes.
    counts = {
        name: sum(not has_role(register, Role.INTO) for register in procedure.parameters)
        for name, procedure in program.procedures.items()
    }
    check_against(rule, counts)


def svcomp_verdict(
    program: ControlFlowProgram, wanted: CProperty, verdict: str, test: CTest | None
) -> str:  # fmt: skip
    """A verdict as SV-COMP writes it; for undefined behaviour it names the property that the failed check is about."""
    if verdict == "safe":
        return "true"
    if verdict != "unsafe" or test is None:
        return "unknown"
    if wanted.kind == "assertions":
        return f"false({wanted.rule.stem if wanted.rule else UNREACH_CALL})"
    return f"false({_violated_category(program, test)})"


def undecided_part(program: ControlFlowProgram, wanted: CProperty) -> str:
    """What a property asks for beyond what is checked; a program without a heap leaks nothing."""
    from pincer.program.control_flow import Allocate

    allocates = any(isinstance(edge.label, Allocate) and edge.label.storage == "heap" for edge in program.edges())
    return wanted.undecidable if allocates else ""


def check_witness_can_state(wanted: CProperty, program: ControlFlowProgram, test: CTest) -> None:
    """Refuse a witness of undefined behaviour that no specification of SV-COMP speaks of."""
    if wanted.kind != "memory" or wanted.specification:
        return
    category = _violated_category(program, test)
    if category not in _FORMULAS["memory"]:
        raise PincerError(
            f"no specification of SV-COMP is violated here ({category}), so its witnesses cannot state it; "
            "--test-out keeps a test that shows it"
        )


def _violated_category(program: ControlFlowProgram, test: CTest) -> str:
    from pincer.program.control_flow import Check
    from pincer.program.passes.memory import CATEGORIES

    for edge in program.edges():
        label = edge.label
        if (
            isinstance(label, Check)
            and edge.position == test.failure.position
            and label.message == test.failure.message
        ):
            return CATEGORIES[label.kind]
    return "valid-deref"
