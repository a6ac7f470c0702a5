"""Is the proof a proof? The certificate checker.

A certificate claims an inductive invariant. The checker reads the program and the invariant afresh and asks a
solver whether some initial state lies outside the invariant, some step leads out of it, or some state in it
violates a property. Only `unsat` counts. It shares no code with the engines, and by default not even their
solver.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.copies import representatives
from pincer.evidence.gcl.invariant import GuardedInvariant, Valuation, control_text
from pincer.evidence.gcl.literals import EMPTY_CUBE, Cube, Union, Vocabulary, join
from pincer.evidence.gcl.local_steps import ReducedProgram
from pincer.evidence.gcl.obligations import (
    AfterCubes,
    Alternative,
    GuardedObligation,
    GuardedObligations,
    GuardedSteps,
    Step,
    unsettled,
)
from pincer.evidence.gcl.renaming import RenamingKeys
from pincer.evidence.gcl.residual import (
    Partial,
    finite_places,
    mentioned,
    residual_expression,
    residual_formula,
)
from pincer.evidence.gcl.smtlib import property_formula, within
from pincer.evidence.solvers import Session, SolverError, open_session
from pincer.program.guarded import (
    Comparison,
    Connective,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedTransition,
    Number,
    Truth,
    VariableRef,
)
from pincer.runtime.run import Run


class CheckLimits(Struct, frozen=True):
    """How obligations are asked; no answer depends on it, only whether there is one."""

    query_seconds: float = 10.0
    """A single obligation that takes longer goes to the second solver."""
    second_seconds: float = 30.0
    """What takes the second solver longer counts as not proved."""
    batch_seconds: float = 5.0
    """A query that joins several obligations is given up after this long; they are then asked one by one."""
    batch_weight: int = 400
    """Cubes that are joined into one query."""
    batch_span: int = 4096
    """Obligations, most of them repeated, after which a query is asked even if it is small."""


LIMITS = CheckLimits()


class CertificateReport(Struct, frozen=True):
    """`obligations` counts them before equal ones are merged; `solver` names who was asked."""

    ok: bool
    reason: str
    obligations: int = 0
    solver_calls: int = 0
    time_s: float = 0.0
    solver: str = ""
    remark: str = ""


class _Origin(Struct, frozen=True):
    """Where an obligation comes from: a sentence without its end, and the valuation that ends it, if one does."""

    claim: str
    valuation: Valuation | None = None

    def text(self, program: GuardedProgram) -> str:
        return self.claim if self.valuation is None else f"{self.claim} at {control_text(program, self.valuation)}"


def check_certificate(
    program: GuardedProgram, certificate: Certificate, solver: str = "cvc5", run: Run | None = None
) -> CertificateReport:
    """Check that the certificate proves its properties of the program.

    A certificate that does not fit, cannot be read or cannot be proved (a solver that gives up included) is
    not ok, and `reason` says what is wrong. `Stopped` is raised when the run is stopped.
    """
    started = time.monotonic()
    session, remark = _opened(solver, run)
    run = run or Run()
    check = _CertificateCheck(program, certificate, session, run)
    try:
        reason = check.reason()
    except PincerError as error:
        reason = str(error)
    except SolverError as error:
        reason = f"{session.name} failed: {error}"
    except RecursionError:
        reason = "a formula is nested too deeply to be checked"
    report = CertificateReport(reason is None, reason or "", check.obligations, check.solver_calls)
    return replace(report, time_s=time.monotonic() - started, solver=session.name, remark=remark or check.remark())


def _opened(name: str, run: Run | None) -> tuple[Session, str]:
    """The session asked for, and a remark when it had to be replaced."""
    if name not in ("cvc5", "z3"):
        raise PincerError(f"there is no solver named {name!r}: use cvc5 or z3")
    session = open_session(name, "QF_LIA", run)
    if session is not None:
        return session, ""
    if name != "z3":
        return _opened("z3", run)[0], f"{name} is not installed: checked with z3"
    raise PincerError("neither cvc5 nor z3 is installed: no proof can be checked")


def _mismatch(program: GuardedProgram, certificate: Certificate) -> str | None:
    """Why the certificate is not about this program, if it is not."""
    if certificate.sha256 != program.sha256:
        return "the certificate was made for another version of the program (its hash differs)"
    if dict(certificate.constants) != dict(program.constants):
        made, given = dict(certificate.constants), dict(program.constants)
        return f"the certificate was made with constants {made}, the program has {given}"
    control = tuple(variable.name for variable in program.variables if variable.finite)
    if certificate.control != control:
        return f"the control list must be the finite variables in order: {', '.join(control) or 'none'}"
    return None if certificate.properties else "the certificate names no property"


class _CertificateCheck:
    """One check: the tables it grows and the counts it reports."""

    def __init__(self, program: GuardedProgram, certificate: Certificate, solver: Session, run: Run) -> None:
        self.obligations = 0
        self.solver_calls = 0
        self._program = program
        self._certificate = certificate
        self._solver = solver
        self._second: Session | None = None
        self._second_calls = 0
        self._defined: list[str] = []
        self._run = run
        self._vocabulary = Vocabulary(program)
        self._steps = GuardedSteps(self._vocabulary)
        self._writer = GuardedObligations(self._vocabulary)
        self._renaming = RenamingKeys(self._vocabulary)
        self._asked: set[Hashable] = set()
        self._after: AfterCubes | None = None

    def reason(self) -> str | None:
        """None when the certificate is right, otherwise what is wrong with it."""
        mismatch = _mismatch(self._program, self._certificate)
        if mismatch is not None:
            return mismatch
        properties = {name: property_formula(self._program, name) for name in self._certificate.properties}
        reduced = ReducedProgram(self._program, tuple(properties.values()), self._certificate.local)
        invariant = GuardedInvariant(self._certificate, self._vocabulary, self._run)
        said, local = tuple(properties.values()), self._certificate.local
        chosen = representatives(invariant, self._vocabulary, self._renaming, said, local)
        if chosen is not None:
            self._after = AfterCubes(self._vocabulary)
        looked_at = invariant.unions if chosen is None else chosen
        return (
            self._failure(self._never_stuck(reduced))
            or self._failure(self._initial(invariant))
            or self._failure(self._safe(looked_at, properties))
            or self._failure(self._closed(looked_at, invariant, reduced))
        )

    def _never_stuck(self, reduced: ReducedProgram) -> Iterator[tuple[GuardedObligation, _Origin]]:
        """At every local place some step of its own can be taken."""
        everything = self._vocabulary.union(frozenset((EMPTY_CUBE,)))
        for name, value in reduced.places:
            origin = _Origin(f"no own step may be possible at {name} = {value}")
            for way in reduced.steps.ways_on((name, value)):
                after = self._vocabulary.union(self._vocabulary.disjuncts(way))
                yield GuardedObligation(everything, self._steps.stay, ((EMPTY_CUBE, after),)), origin

    def _initial(self, invariant: GuardedInvariant) -> Iterator[tuple[GuardedObligation, _Origin]]:
        """Every initial state lies in the invariant."""
        claim = "the invariant misses an initial state"
        for values, residual in _initial_cases(self._program, self._program.init, {}):
            before = self._vocabulary.union(self._vocabulary.disjuncts(residual))
            pattern = [
                range(values[v.name], values[v.name] + 1) if v.name in values else range(v.type.low, v.type.high + 1)
                for v in self._program.variables
                if isinstance(v.type, FiniteType)
            ]
            listed, missing = invariant.completions(pattern)
            for valuation in listed if missing is None else [missing, *listed]:
                after = ((EMPTY_CUBE, invariant.at(valuation)),)
                yield GuardedObligation(before, self._steps.stay, after), _Origin(claim, valuation)

    def _safe(
        self, looked_at: Mapping[Valuation, Union], properties: Mapping[str, Formula]
    ) -> Iterator[tuple[GuardedObligation, _Origin]]:
        """The invariant implies every property."""
        for name, formula in properties.items():
            partial = Partial(formula, self._program)
            claim = f"the invariant does not imply {name}"
            for valuation, union in looked_at.items():
                after = self._vocabulary.union(self._vocabulary.disjuncts(partial.at(valuation)))
                obligation = GuardedObligation(union, self._steps.stay, ((EMPTY_CUBE, after),))
                yield obligation, _Origin(claim, valuation)

    def _closed(
        self, looked_at: Mapping[Valuation, Union], invariant: GuardedInvariant, reduced: ReducedProgram
    ) -> Iterator[tuple[GuardedObligation, _Origin]]:
        """Every step of the reduced program from a state of the invariant leads into the invariant."""
        by_value = _ByValue(looked_at)
        for number, transition in enumerate(self._program.transitions):
            reader = _TransitionReader(transition, self._vocabulary, self._steps)
            claim = f"the invariant is not closed under {transition.name}"
            for valuation, union in by_value.having(reader.demanded()):
                move = reader.at(valuation) if reduced.takes(number, valuation) else None
                if move is not None and _stays(move, valuation, union, invariant):
                    self.obligations += 1
                elif move is not None:
                    for after in _outcomes(move, valuation, invariant, self._vocabulary):
                        yield GuardedObligation(union, move.step, after), _Origin(claim, valuation)

    def _failure(self, obligations: Iterator[tuple[GuardedObligation, _Origin]]) -> str | None:
        """The first obligation that is not proved, in words."""
        seen: set[tuple[object, ...]] = set()
        batch: list[tuple[str, _Origin]] = []
        weight = 0
        for obligation, origin in obligations:
            self.obligations += 1
            key = obligation.key()
            if key not in seen:
                seen.add(key)
                self._run.poll()
                cubes = unsettled(obligation, self._vocabulary)
                for part, open_cubes in self._parts(obligation, cubes):
                    if self._is_new(part, open_cubes):
                        batch.append((self._writer.refutation(part, open_cubes), origin))
                        weight += len(open_cubes) + sum(len(union.cubes) for _, union in part.after)
            if weight >= LIMITS.batch_weight or self.obligations % LIMITS.batch_span == 0:
                self._run.poll()
                reason = self._refuted(batch)
                if reason is not None:
                    return reason
                batch, weight = [], 0
        return self._refuted(batch)

    def _parts(
        self, obligation: GuardedObligation, cubes: Sequence[Cube]
    ) -> Iterator[tuple[GuardedObligation, Sequence[Cube]]]:
        """What is to be asked: all at once, or each of a few cubes with what may hold after it."""
        if self._after is None:
            if cubes:
                yield obligation, cubes
            return
        for cube in cubes:
            part = self._after.narrowed(obligation, cube)
            if part is not None:
                yield part, (cube,)

    def _is_new(self, obligation: GuardedObligation, cubes: Sequence[Cube]) -> bool:
        """Whether no obligation that differs in the names of variables only was seen; the check ends with the first
        that is not proved."""
        key = self._renaming.key(obligation, cubes)
        if key in self._asked:
            return False
        self._asked.add(key)
        return True

    def _refuted(self, batch: Sequence[tuple[str, _Origin]]) -> str | None:
        texts = list(dict.fromkeys(text for text, _ in batch))
        if len(texts) > 1 and self._ask(f"(or {' '.join(texts)})", LIMITS.batch_seconds) == "unsat":
            return None
        for text, origin in batch:
            verdict = self._ask(text, LIMITS.query_seconds)
            if verdict not in ("sat", "unsat"):
                verdict = self._second_opinion(text, verdict)
            if verdict != "unsat":
                found = "a counterexample exists" if verdict == "sat" else "not proved"
                return f"{origin.text(self._program)}: {found} ({self._solver.name} says {verdict})"
        return None

    def _ask(self, formula: str, seconds: float) -> str:
        self._run.poll()
        remaining = self._run.remaining()
        definitions = self._writer.definitions()
        if definitions:
            self._solver.define(definitions)
            self._defined.append(definitions)
        self.solver_calls += 1
        verdict = self._solver.verdict(formula, seconds if remaining is None else min(seconds, remaining))
        self._run.poll()
        return verdict

    def _second_opinion(self, formula: str, verdict: str) -> str:
        """What z3 says where cvc5 gave up; each obligation is still proved by one solver entirely."""
        if self._solver.name == "z3":
            return verdict
        if self._second is None:
            self._second, _ = _opened("z3", self._run)
        for definitions in self._defined:
            self._second.define(definitions)
        self._defined.clear()
        remaining = self._run.remaining()
        limit = LIMITS.second_seconds if remaining is None else min(LIMITS.second_seconds, remaining)
        self._second_calls += 1
        second = self._second.verdict(formula, limit)
        self._run.poll()
        return second if second in ("sat", "unsat") else verdict

    def remark(self) -> str:
        if not self._second_calls:
            return ""
        times = "once" if self._second_calls == 1 else f"{self._second_calls} times"
        return f"z3 was asked {times} where {self._solver.name} gave no answer"


def _initial_cases(
    program: GuardedProgram, residual: Formula, values: Mapping[str, int]
) -> Iterator[tuple[Mapping[str, int], Formula]]:
    """Values for the finite variables in `init`, and what is left of it, wherever that is not false."""
    if residual == Truth(False):
        return
    conjuncts = residual.operands if isinstance(residual, Connective) and residual.operator == "&&" else (residual,)
    finite = {v.name: v.type for v in program.variables if isinstance(v.type, FiniteType)}
    names = mentioned(residual, program)
    name = next((name for name in finite if name in names), None)
    if name is None:
        yield values, residual_formula(residual, {}, program)
        return
    choices: Sequence[int] = range(finite[name].low, finite[name].high + 1)
    for conjunct in conjuncts:
        match conjunct:
            case Comparison("=", VariableRef(pinned), Number(value)) if pinned in finite:
                name = pinned
                choices = [value] if finite[name].low <= value <= finite[name].high else []
                break
    for value in choices:
        yield from _initial_cases(program, residual_formula(residual, {name: value}, program), {**values, name: value})


class _ByValue:
    """An invariant's valuations by the value of one finite variable: most transitions ask for one."""

    def __init__(self, unions: Mapping[Valuation, Union]) -> None:
        self._unions = unions
        self._tables: dict[int, dict[int, list[tuple[Valuation, Union]]]] = {}

    def having(self, demanded: tuple[int, int] | None) -> Iterable[tuple[Valuation, Union]]:
        """Those with a value at a place; all if nothing is demanded."""
        if demanded is None:
            return self._unions.items()
        place, value = demanded
        if place not in self._tables:
            table = self._tables[place] = {}
            for item in self._unions.items():
                table.setdefault(item[0][place], []).append(item)
        return self._tables[place].get(value, ())


class _Move(Struct, frozen=True):
    """A transition under a valuation: its step on the integers and where it takes the finite variables.

    Each finite variable that is assigned has its values in `control`; one whose value depends on the integers
    has all values of its type there and its expression in `computed`. Where each has one value only, they are in
    `certain`.
    """

    step: Step
    control: tuple[tuple[int, range], ...]
    computed: tuple[tuple[int, Expression], ...]
    certain: tuple[tuple[int, int], ...] | None

    def target(self, valuation: Valuation) -> Valuation | None:
        """Where it leads, if there is just one place."""
        if self.certain is None:
            return None
        after = list(valuation)
        for place, value in self.certain:
            after[place] = value
        return tuple(after)


class _TransitionReader:
    """A transition to be read under many valuations of the finite variables."""

    def __init__(self, transition: GuardedTransition, vocabulary: Vocabulary, steps: GuardedSteps) -> None:
        program = vocabulary.program
        self._types = {variable.name: variable.type for variable in program.variables}
        self._control = {v.name: i for i, v in enumerate(v for v in program.variables if v.finite)}
        self._guard = Partial(transition.guard, program)
        self._transition = transition
        self._vocabulary = vocabulary
        self._steps = steps
        self._places = finite_places([transition.guard, *(value for _, value in transition.assignments)], program)
        self._known: dict[Valuation, _Move | None] = {}

    def demanded(self) -> tuple[int, int] | None:
        """A finite variable, by its place, and the value that the guard asks of it, if it does."""
        guard = self._transition.guard
        parts = guard.operands if isinstance(guard, Connective) and guard.operator == "&&" else (guard,)
        for part in parts:
            match part:
                case Comparison("=", VariableRef(name), Number(value)) if name in self._control:
                    return self._control[name], value
        return None

    def at(self, valuation: Valuation) -> _Move | None:
        """The move, or None when there is plainly none."""
        key = tuple([valuation[place] for place, _ in self._places])
        if key not in self._known:
            self._known[key] = self._read(valuation)
        return self._known[key]

    def _read(self, valuation: Valuation) -> _Move | None:
        program = self._vocabulary.program
        values = {name: valuation[place] for place, name in self._places}
        conditions = [self._guard.at(valuation)]
        if conditions[0] == Truth(False):
            return None
        updates: dict[str, Expression] = {}
        control: list[tuple[int, range]] = []
        computed: list[tuple[int, Expression]] = []
        for name, value in self._transition.assignments:
            type_ = self._types[name]
            if isinstance(type_, FiniteType):
                low, high = type_.low, type_.high
                if isinstance(value, GuardedChoice):
                    low = low if value.low is None else max(low, value.low)
                    high = high if value.high is None else min(high, value.high)
                else:
                    result = residual_expression(value, values, program)
                    if isinstance(result, Number):
                        low, high = max(low, result.value), min(high, result.value)
                    else:
                        conditions.append(within(result, low, high))
                        computed.append((self._control[name], result))
                control.append((self._control[name], range(low, high + 1)))
            elif isinstance(value, GuardedChoice):
                updates[name] = VariableRef(f"?{len(updates)}")
                conditions += _chosen(updates[name], value)
            else:
                updates[name] = residual_expression(value, values, program)
        guard = join(self._vocabulary.cube(condition) for condition in conditions)
        if guard is None:
            return None
        single = not computed and all(len(values) == 1 for _, values in control)
        certain = tuple((place, values[0]) for place, values in control) if single else None
        return _Move(self._steps.step(guard, updates), tuple(control), tuple(computed), certain)


def _chosen(value: Expression, choice: GuardedChoice) -> Iterator[Formula]:
    if choice.low is not None:
        yield Comparison("<=", Number(choice.low), value)
    if choice.high is not None:
        yield Comparison("<=", value, Number(choice.high))


def _stays(move: _Move, valuation: Valuation, union: Union, invariant: GuardedInvariant) -> bool:
    """Whether the move leaves the integers alone and leads where the invariant says the same of them."""
    if move.step.updates:
        return False
    target = move.target(valuation)
    return target is not None and invariant.at(target) is union is not invariant.never


def _outcomes(
    move: _Move, valuation: Valuation, invariant: GuardedInvariant, vocabulary: Vocabulary
) -> Iterator[tuple[Alternative, ...]]:
    """What must hold after the move: one entry for each choice of values for the finite variables.

    None at all when a finite variable would leave its type: such a step has no successor.
    """
    certain = move.target(valuation)
    if certain is not None:
        yield ((EMPTY_CUBE, invariant.at(certain)),)
        return
    pattern = [range(value, value + 1) for value in valuation]
    for place, values in move.control:
        pattern[place] = values
    if not all(pattern):
        return
    computed = dict(move.computed)
    chosen = [place for place, values in enumerate(pattern) if len(values) > 1 and place not in computed]
    targets: dict[Valuation, list[Alternative]] = {}
    for target in invariant.completions(pattern)[0]:
        condition = join(
            vocabulary.cube(Comparison("=", value, Number(target[place]))) for place, value in move.computed
        )
        if condition is not None:
            alternatives = targets.setdefault(tuple(target[place] for place in chosen), [])
            alternatives.append((condition, invariant.at(target)))
    if len(targets) < prod(len(pattern[place]) for place in chosen):
        yield ()
    yield from map(tuple, targets.values())
