"""Properties of C programs: by name, from files of SV-COMP, from API rules, from lines to be reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pincer.checking.task import TEMPORAL_FILES
from pincer.errors import PincerError, Position, UnsupportedError
from pincer.evidence.c.failures import STATED, FailureKind
from pincer.evidence.c.trace import CTest
from pincer.frontends.c.asked_formula import CFormula, is_formula
from pincer.program import passes
from pincer.program.passes.memory import CATEGORIES
from pincer.program.passes.overflow import ARITHMETIC
from pincer.program.property import PropertyKind, ProvedKind, SequentialKind
from pincer.runtime.files import did_you_mean

if TYPE_CHECKING:
    from pincer.frontends.c.rules import Instrumentation

_FORMULAS: Mapping[PropertyKind, tuple[str, ...]] = {
    "assertions": ("! call(reach_error())",),
    "memory": ("valid-deref", "valid-free"),
    "overflow": ("! overflow",),
    "leaks": ("valid-memtrack",),
    "uninitialised": (),
    "termination": (),
    "race": ("! data-race",),
    "deadlock": ("! deadlock",),
}
"""What there is to decide, by its name, and how SV-COMP writes it."""
TARGETS = ("reach_error", "__VERIFIER_error", "ERROR")
"""Functions and labels whose reaching is a violation of `assertions`."""
UNREACH_CALL = "unreach-call"
_VIOLATED: Mapping[FailureKind, str] = {
    **{FailureKind(kind): category for kind, category in CATEGORIES.items()},
    FailureKind.LEAK: "valid-memtrack",
    FailureKind.UNFREED: "valid-memcleanup",
    FailureKind.UNINITIALISED: "uninitialised-read",
}
"""The property of SV-COMP that undefined behaviour violates, or a name like those."""
_STATEABLE = frozenset({"valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup", "no-overflow"})
"""What witnesses can be about besides the reaching of a function."""


class CProperty(Struct, frozen=True):
    """One thing to decide.

    A `rule` limits `assertions` to those of the rule. `categories` limit `memory` to some kinds of undefined behaviour
    (all when empty), or extend it to leaks, and `assertions` to calls of error functions unless "assert" is among them.
    `targets` make of `assertions` the question whether threads can be at these lines at the same time. Properties that
    are asked `together` have one proof. `formula` is the temporal one that is asked about.
    """

    name: str
    kind: PropertyKind
    rule: Path | None = None
    categories: frozenset[str] = frozenset()
    entry: str = ""
    specification: str = ""
    targets: tuple[Position, ...] = ()
    together: tuple[PropertyKind, ...] = ()
    formula: CFormula | None = None

    def specification_for(self, entry: str) -> str:
        """The property in the words of SV-COMP, for witnesses."""
        if self.rule is not None or self.targets or self.kind in ("uninitialised", "temporal"):
            raise PincerError(f"SV-COMP's witnesses cannot state {self.name}; leave --witness out for it")
        if self.specification:
            return self.specification
        if self.kind == "termination":
            return f"CHECK( init({entry}()), LTL(F end) )"
        kind = self.together[0] if self.together else self.kind
        return "\n".join(f"CHECK( init({entry}()), LTL(G {formula}) )" for formula in _FORMULAS[kind])

    def meaning(self) -> passes.CProgramProperty:
        """What counts as an error."""
        if self.together:
            return passes.NothingWrong(*(kind in self.together for kind in TOGETHER))
        if self.kind == "race":
            return passes.Races()
        if self.kind == "deadlock":
            return passes.Deadlocks()
        if self.kind == "memory":
            return passes.memory_safety(self.categories)
        if self.kind == "leaks":
            return passes.Leaks(lost="valid-memcleanup" not in self.categories)
        if self.kind == "uninitialised":
            return passes.InitialisedReads()
        if self.kind == "overflow":
            return passes.overflow_kinds(self.categories)
        if self.kind in ("termination", "temporal"):
            return passes.Termination()
        if self.rule is not None:
            return passes.KeptRule()
        if self.targets:
            return passes.LinesApart(self.targets)
        asserts = not self.categories or "assert" in self.categories
        return passes.Assertions() if asserts else passes.CALLS_OF_ERROR_FUNCTIONS

    @property
    def looked_for(self) -> SequentialKind:
        """What its pass makes of a violation: a check that does not hold, or a failure."""
        return "memory" if self.kind == "memory" else "assertions"

    @property
    def proved_as(self) -> ProvedKind:
        """What a proof of it is about."""
        return self.kind if self.kind in ("termination", "temporal") else self.looked_for

    def to_json(self) -> dict[str, Any]:
        """What is needed besides the program to load it for this property again."""
        alone: dict[str, Any] = {"rule": str(self.rule) if self.rule else None, "categories": sorted(self.categories)}
        alone |= {"kind": self.kind} if self.kind != self.proved_as else {}
        if self.formula is not None:
            alone |= {"formula": self.formula.shown, "defines": dict(self.formula.defines)}
        return {**alone, "together": list(self.together)} if self.together else alone


TOGETHER: tuple[PropertyKind, ...] = ("assertions", "memory", "overflow")
"""Properties that one proof can show."""
ASSERTIONS = CProperty("assertions", "assertions")
WHAT_CAN_GO_WRONG: tuple[CProperty, ...] = tuple(CProperty(kind, kind) for kind in TOGETHER)
"""What is decided of a program when nothing is asked; leaks harm nobody, and are often left on purpose."""
OF_THREADS = (CProperty("race", "race"), CProperty("deadlock", "deadlock"))


def asked_together(properties: Sequence[CProperty]) -> CProperty | None:
    """The properties among some that one proof can show, as one, if there are several: whole ones only."""
    whole = [wanted for wanted in properties if wanted == CProperty(wanted.kind, wanted.kind)]
    kinds = tuple(kind for kind in TOGETHER if any(wanted.kind == kind for wanted in whole))
    return None if len(kinds) < 2 else CProperty(properties[0].name, "memory", together=kinds)


def is_about_undefined_behaviour(asked: CProperty) -> bool:
    """Whether all undefined behaviour violates a property that is asked together with others."""
    return {"memory", "overflow"} <= set(asked.together)


def property_of_failure(kind: FailureKind) -> PropertyKind:
    """The property that a failure violates, of those that are asked together."""
    if kind in STATED:
        return "assertions"
    return "overflow" if kind.value in ARITHMETIC else "memory"


def lines_property(texts: Sequence[str], source: Path) -> CProperty:
    """The question whether threads can be at lines, given as FILE:LINE or LINE of the program itself."""
    places = []
    for text in texts:
        file, _, line = text.rpartition(":")
        if not (line.isascii() and line.isdecimal()) or int(line) == 0:
            raise PincerError(f"--target {text}: write FILE:LINE or LINE, with a line number from 1")
        places.append(Position(str(source) if file in ("", source.name) else file, int(line), 1))
    return CProperty("target " + ", ".join(texts), "assertions", targets=tuple(places))


def properties_named(text: str) -> Iterator[CProperty]:
    """The properties of a list with commas; a file may have commas in its name, and a formula in its predicates."""
    if Path(text).suffix in TEMPORAL_FILES and is_there(text):
        from pincer.frontends.c.formulas import formulas_in

        for name, formula in formulas_in(Path(text)):
            yield CProperty(name, "temporal", formula=formula)
        return
    if is_formula(text) and not is_there(text):
        from pincer.frontends.c.formulas import c_formula

        yield formula_property(c_formula(text))
        return
    for name in [text] if is_there(text) else filter(None, text.split(",")):
        yield property_named(name)


def is_there(text: str) -> bool:
    """Whether a text is the name of a file; a formula may be too long for one."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def formula_property(formula: CFormula) -> CProperty:
    return CProperty(" ".join(formula.shown.split()), "temporal", formula=formula)


def property_named(text: str) -> CProperty:
    """A property by its name or file: assertions, memory, termination and so on, FILE.prp, FILE.rule."""
    for kind in _FORMULAS:
        if text == kind:
            return CProperty(text, kind)
    path = Path(text)
    if path.suffix == ".rule":
        return rule_property(path)
    if path.suffix == ".prp":
        return _specified(path)
    hint = did_you_mean(text, _FORMULAS) or (
        f"; choose {', '.join(_FORMULAS)}, a formula such as '[]({{x > 0}} -> <>{{x == 0}})', "
        "or a file: .prp, .p, .ltl or .rule"
    )
    raise PincerError(f"there is no property {text!r} of C programs{hint}")


def distinct(properties: Sequence[CProperty]) -> tuple[CProperty, ...]:
    return tuple({wanted.name: wanted for wanted in properties}.values())


def _specified(path: Path) -> CProperty:
    """The property a .prp file states."""
    from pincer.frontends.svcomp import load_property

    found = load_property(path)
    if found.kind == "temporal":
        from pincer.frontends.c.formulas import of_competition

        formula = of_competition(found.formula())
        return CProperty(path.stem, "temporal", entry=found.entry, formula=formula)
    kind = found.checked_as()
    if kind == "assertions" and found.target not in TARGETS:
        raise UnsupportedError(
            f"reaching {found.target} is not checked; what can be asked about is {', '.join(TARGETS)}"
        )
    return CProperty(
        found.name,
        kind,
        categories=frozenset(found.parts),
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


def violated(wanted: CProperty, test: CTest) -> str:
    """A violation as SV-COMP writes it; of undefined behaviour it names the property that the failed check is about."""
    if wanted.kind == "assertions":
        return f"false({wanted.rule.stem if wanted.rule else UNREACH_CALL})"
    return f"false({_violated_category(test)})"


def check_witness_can_state(wanted: CProperty, test: CTest) -> None:
    """Refuse a witness of undefined behaviour that no specification of SV-COMP speaks of."""
    if wanted.kind == "assertions" or wanted.specification:
        return
    category = _violated_category(test)
    if category not in _STATEABLE:
        raise PincerError(
            f"no specification of SV-COMP is violated here ({category}), so its witnesses cannot state it; "
            "--test-out keeps a test that shows it"
        )


def _violated_category(test: CTest) -> str:
    kind = test.failure.kind
    return "valid-deref" if kind is None else _VIOLATED.get(kind, UNREACH_CALL)
