"""Bitwuzla behind the solver protocol: the solver for bit-vectors.

Terms are translated once per session. Questions that share most of their formulas, as along a path, are answered
several times faster by an instance that knows them already; unrelated ones make it slower and slower. So formulas reach
an instance only when something is checked, and an instance is replaced when most of a question is new to it.
Bitwuzla asks a callback of ours now and then whether to go on: it keeps the limits and lets other threads and signal
handlers run. How often it asks depends on the question alone, so a limit in these *ticks* cuts a call short at the same
point on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bitwuzla import Bitwuzla, BitwuzlaException, Kind, Option, Options, Result, TermManager
from bitwuzla import Sort as Type
from bitwuzla import Term as Handle

from pincer.logic.bitvectors import width
from pincer.logic.bitwuzla_floats import FloatingHandles
from pincer.logic.limits import LIMITS
from pincer.logic.solver import SolverUnknown, Status, Translator
from pincer.logic.terms import BOOL, INT, Sort, Term
from pincer.runtime import clock

_KINDS = {
    "not": Kind.NOT,
    "and": Kind.AND,
    "or": Kind.OR,
    "iff": Kind.EQUAL,
    "same": Kind.EQUAL,
    "ite": Kind.ITE,
    "bvmul": Kind.BV_MUL,
    "bvand": Kind.BV_AND,
    "bvor": Kind.BV_OR,
    "bvxor": Kind.BV_XOR,
    "bvshl": Kind.BV_SHL,
    "bvlshr": Kind.BV_SHR,
    "bvashr": Kind.BV_ASHR,
    "bvudiv": Kind.BV_UDIV,
    "bvurem": Kind.BV_UREM,
    "bvsdiv": Kind.BV_SDIV,
    "bvsrem": Kind.BV_SREM,
    "bvule": Kind.BV_ULE,
    "bvsle": Kind.BV_SLE,
    "concat": Kind.BV_CONCAT,
    "extract": Kind.BV_EXTRACT,
    "zero_extend": Kind.BV_ZERO_EXTEND,
    "sign_extend": Kind.BV_SIGN_EXTEND,
}
_STATUS = {Result.SAT: Status.SAT, Result.UNSAT: Status.UNSAT}


def _never() -> bool:
    return False


class _Patience:
    """Tells Bitwuzla to stop when the time or the ticks of a check are over, or someone interrupted it."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        self.is_over = is_over
        self.deadline: float | None = None
        self.most_ticks: int | None = None
        self.ticks = 0
        self.interrupted = False

    def __call__(self) -> bool:
        self.ticks += 1
        if self.interrupted or (self.most_ticks is not None and self.ticks > self.most_ticks) or self.is_over():
            return True
        return self.deadline is not None and clock.now() > self.deadline


class BitwuzlaSolver(Translator[Handle]):
    """One incremental session over bit-vectors and Booleans.

    A check ends without an answer after some time, or once a limit of ticks is set after these alone, and in any case
    when `is_over` says so."""

    name = "bitwuzla"

    def __init__(self, timeout_ms: int = 30_000, is_over: Callable[[], bool] = _never) -> None:
        super().__init__()
        self._options = Options()
        self._options.set(Option.PRODUCE_MODELS, True)
        self._options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        self._options.set(Option.PP_SKELETON_PREPROC, False)
        self._patience = _Patience(is_over)
        self._levels: list[list[Term]] = [[]]
        self._assumptions: Sequence[Term] = ()
        self._most_ticks: int | None = None
        self._pace = 1
        self.set_timeout(timeout_ms)
        self._renew_manager()

    def _renew_manager(self) -> None:
        self._manager = TermManager()
        self._handles.clear()
        self._sorts: dict[Sort, Type] = {BOOL: self._manager.mk_bool_sort()}
        self._floats = FloatingHandles(self._manager, self._handles)
        self._renew_instance()

    def _renew_instance(self) -> None:
        self._instance = Bitwuzla(self._manager, self._options)
        self._instance.configure_terminator(self._patience)
        self._asserted = [0]
        self._seen: set[Term] = set()

    def set_timeout(self, milliseconds: int) -> None:
        self._seconds = max(1, milliseconds) / 1000

    def limit_ticks(self, most: int) -> None:
        """From now on checks are limited by their work, and not by the clock."""
        self._most_ticks = self._patience.most_ticks = most

    @property
    def ticks(self) -> int:
        """How much work the last check was."""
        return self._patience.ticks // self._pace

    def interrupt(self) -> None:
        self._patience.interrupted = True

    def push(self) -> None:
        self._levels.append([])

    def pop(self) -> None:
        self._levels.pop()
        if len(self._asserted) > len(self._levels):
            self._asserted.pop()
            self._instance.pop(1)

    def add(self, formula: Term) -> None:
        self._levels[-1].append(formula)

    def check(self, assumptions: Sequence[Term] = ()) -> Status:
        self._assumptions = assumptions
        by_clock = self._patience.most_ticks is None
        self._patience.deadline = clock.now() + self._seconds if by_clock else None
        self._patience.ticks = 0
        self._bring_up_to_date(assumptions)
        asked = (*assumptions, *(formula for level in self._levels for formula in level))
        self._pace = LIMITS.floating_pace if self._floats.concern(asked) else 1
        if self._most_ticks is not None:
            self._patience.most_ticks = self._most_ticks * self._pace
        handles = [self.translate(assumption) for assumption in assumptions]
        try:
            return _STATUS.get(self._instance.check_sat(*handles), Status.UNKNOWN)
        except BitwuzlaException as error:
            raise SolverUnknown(f"bitwuzla: {error}") from error
        finally:
            self._patience.interrupted = False

    def _bring_up_to_date(self, assumptions: Sequence[Term]) -> None:
        """Give the instance, or a new one, the levels and formulas that were added since the last check."""
        asked = {*assumptions, *(formula for level in self._levels for formula in level)}
        if len(self._asserted) == 1:
            known = len(self._seen & asked)
            if len(self._handles) > LIMITS.handles_per_manager:
                self._renew_manager()
            elif 2 * known < len(asked) or len(self._seen) - known > LIMITS.forgotten_formulas:
                self._renew_instance()
        self._seen |= asked
        for i, level in enumerate(self._levels):
            if i == len(self._asserted):
                self._asserted.append(0)
                self._instance.push(1)
            for formula in level[self._asserted[i] :]:
                self._instance.assert_formula(self.translate(formula), *self._floats.definitions_in(formula))
            self._asserted[i] = len(level)
        for assumption in assumptions:
            self.translate(assumption)
            for definition in self._floats.definitions_in(assumption):
                self._instance.assert_formula(definition)

    def model(self, variables: Sequence[Term]) -> Mapping[Term, int]:
        values = {}
        for v in variables:
            value = self._instance.get_value(self.translate(v)).value(10)
            values[v] = int(value)
        return values

    def core(self) -> list[Term]:
        return [a for a in self._assumptions if self._instance.is_unsat_assumption(self.translate(a))]

    def _sort(self, sort: Sort) -> Type:
        if sort not in self._sorts:
            assert sort is not INT, "bitwuzla has no integers"
            self._sorts[sort] = self._manager.mk_bv_sort(sort.width)
        return self._sorts[sort]

    def _build(self, term: Term) -> Handle:
        match term.op:
            case "var":
                return self._manager.mk_const(self._sort(term.sort), str(term.args[0]))
            case "bvconst":
                return self._manager.mk_bv_value(self._sort(term.sort), term.args[0])
            case "true":
                return self._manager.mk_true()
            case "false":
                return self._manager.mk_false()
            case "bvlin":
                return self._sum(term)
            case "load" | "room":
                raise AssertionError("reads of the state must be resolved before a solver sees them")
        self._floats.note(term)
        floating = self._floats.build(term, self.translate)
        if floating is not None:
            return floating
        operands = [self._floats.word(arg) for arg in term.args if isinstance(arg, Term)]
        numbers = [arg for arg in term.args if not isinstance(arg, Term)]
        return self._manager.mk_term(_KINDS[term.op], operands, numbers)

    def _sum(self, term: Term) -> Handle:
        manager, bits = self._manager, width(term)
        coefficients, constant = term.args
        sort = self._sort(term.sort)
        parts = []
        for factor, c in coefficients:
            handle = self._floats.word(factor)
            if c == (1 << bits) - 1:
                handle = manager.mk_term(Kind.BV_NEG, [handle])
            elif c != 1:
                handle = manager.mk_term(Kind.BV_MUL, [manager.mk_bv_value(sort, c), handle])
            parts.append(handle)
        if constant:
            parts.append(manager.mk_bv_value(sort, constant))
        return parts[0] if len(parts) == 1 else manager.mk_term(Kind.BV_ADD, parts)
