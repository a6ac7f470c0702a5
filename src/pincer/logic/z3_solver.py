"""Z3 behind the solver protocol, through raw handles.

z3py's operators cost more than the checks they build, so terms are translated once per session with the C API and
kept by identity. The context is not reference counted: translated terms live as long as the session.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from z3 import z3core
from z3.z3consts import Z3_L_FALSE, Z3_L_TRUE
from z3.z3types import Z3Exception

from pincer.logic.solver import SolverUnknown, Status, Translator
from pincer.logic.terms import BOOL, INT, Coefficients, Sort, Term
from pincer.runtime import clock

_keep_errors_quiet = z3core._error_handler_type(lambda context, code: None)
"""Without a handler of ours Z3 ends the process when an interrupt arrives outside a check."""


WORK = 150_000_000
"""Some twenty seconds: what is harder is seldom answered in any useful time."""


class Z3Solver(Translator[Any]):
    """One Z3 context with one incremental solver; `logic` picks the tactic (QF_LIA is the fast one for integers).

    Checks are limited by their `work` as Z3 counts it, some millions a second, and not by the clock."""

    name = "z3"

    def __init__(self, logic: str | None = "QF_LIA", work: int = WORK) -> None:
        super().__init__()
        self._lib: Any = z3core
        config = self._lib.Z3_mk_config()
        self._ctx = self._lib.Z3_mk_context(config)
        self._lib.Z3_del_config(config)
        self._lib.Z3_set_error_handler(self._ctx, _keep_errors_quiet)
        self._sorts: dict[Sort, Any] = {
            INT: self._lib.Z3_mk_int_sort(self._ctx),
            BOOL: self._lib.Z3_mk_bool_sort(self._ctx),
        }
        if logic is None:
            self._solver = self._lib.Z3_mk_solver(self._ctx)
        else:
            symbol = self._lib.Z3_mk_string_symbol(self._ctx, logic)
            self._solver = self._lib.Z3_mk_solver_for_logic(self._ctx, symbol)
        self._lib.Z3_solver_inc_ref(self._ctx, self._solver)
        self._assumptions: Sequence[Term] = ()
        self._limit("rlimit", work)

    def __del__(self) -> None:
        if getattr(self, "_solver", None) is not None and self._lib is not None:
            self._lib.Z3_solver_dec_ref(self._ctx, self._solver)
            self._lib.Z3_del_context(self._ctx)

    def set_timeout(self, milliseconds: int) -> None:
        self._limit("timeout", round(clock.on_the_wall(milliseconds)))

    def _limit(self, what: str, most: int) -> None:
        params = self._lib.Z3_mk_params(self._ctx)
        self._lib.Z3_params_inc_ref(self._ctx, params)
        symbol = self._lib.Z3_mk_string_symbol(self._ctx, what)
        self._lib.Z3_params_set_uint(self._ctx, params, symbol, max(1, most))
        self._lib.Z3_solver_set_params(self._ctx, self._solver, params)
        self._lib.Z3_params_dec_ref(self._ctx, params)

    def interrupt(self) -> None:
        self._lib.Z3_solver_interrupt(self._ctx, self._solver)

    def push(self) -> None:
        self._call(self._lib.Z3_solver_push)

    def pop(self) -> None:
        self._call(self._lib.Z3_solver_pop, 1)

    def add(self, formula: Term) -> None:
        self._call(self._lib.Z3_solver_assert, self.translate(formula))

    def _call(self, function: Callable[..., Any], *args: Any) -> None:
        try:
            function(self._ctx, self._solver, *args)
        except Z3Exception as error:
            raise SolverUnknown(f"z3 was interrupted: {error}") from error

    def check(self, assumptions: Sequence[Term] = ()) -> Status:
        self._assumptions = assumptions
        try:
            if assumptions:
                handles = self._array([self.translate(a) for a in assumptions])
                answer = self._lib.Z3_solver_check_assumptions(self._ctx, self._solver, len(assumptions), handles)
            else:
                answer = self._lib.Z3_solver_check(self._ctx, self._solver)
        except Z3Exception:
            return Status.UNKNOWN
        if answer == Z3_L_TRUE:
            return Status.SAT
        return Status.UNSAT if answer == Z3_L_FALSE else Status.UNKNOWN

    def core(self) -> list[Term]:
        vector = self._lib.Z3_solver_get_unsat_core(self._ctx, self._solver)
        self._lib.Z3_ast_vector_inc_ref(self._ctx, vector)
        size = self._lib.Z3_ast_vector_size(self._ctx, vector)
        ids = {
            self._lib.Z3_get_ast_id(self._ctx, self._lib.Z3_ast_vector_get(self._ctx, vector, i)) for i in range(size)
        }
        self._lib.Z3_ast_vector_dec_ref(self._ctx, vector)
        return [a for a in self._assumptions if self._lib.Z3_get_ast_id(self._ctx, self.translate(a)) in ids]

    def model(self, variables: Sequence[Term]) -> Mapping[Term, int]:
        lib, ctx = self._lib, self._ctx
        model = lib.Z3_solver_get_model(ctx, self._solver)
        lib.Z3_model_inc_ref(ctx, model)
        values = {}
        for v in variables:
            value = z3core.Ast(None)
            lib.Z3_model_eval(ctx, model, self.translate(v), True, ctypes.byref(value))
            values[v] = self._read(value, v.sort)
        lib.Z3_model_dec_ref(ctx, model)
        return values

    def _read(self, value: Any, sort: Sort) -> int:
        if sort is BOOL:
            return int(self._lib.Z3_get_bool_value(self._ctx, value) == Z3_L_TRUE)
        return int(self._lib.Z3_get_numeral_string(self._ctx, value))

    def _array(self, handles: list[Any]) -> Any:
        return (z3core.Ast * len(handles))(*handles)

    def _number(self, value: int) -> Any:
        if value.bit_length() < 63:
            return self._lib.Z3_mk_int64(self._ctx, value, self._sorts[INT])
        return self._lib.Z3_mk_numeral(self._ctx, str(value), self._sorts[INT])

    def _sum(self, coefficients: Coefficients, constant: int) -> Any:
        parts = []
        for factor, c in coefficients:
            handle = self.translate(factor)
            if c != 1:
                handle = self._lib.Z3_mk_mul(self._ctx, 2, self._array([self._number(c), handle]))
            parts.append(handle)
        if constant or not parts:
            parts.append(self._number(constant))
        return parts[0] if len(parts) == 1 else self._lib.Z3_mk_add(self._ctx, len(parts), self._array(parts))

    def _build(self, term: Term) -> Any:
        lib, ctx = self._lib, self._ctx
        match term.op:
            case "var":
                symbol = lib.Z3_mk_string_symbol(ctx, str(term.args[0]))
                return lib.Z3_mk_const(ctx, symbol, self._sort(term.sort))
            case "linear":
                return self._sum(*term.args)
            case "le":
                return lib.Z3_mk_le(ctx, self._sum(term.args[0], 0), self._number(term.args[1]))
            case "eq":
                return lib.Z3_mk_eq(ctx, self._sum(term.args[0], 0), self._number(term.args[1]))
            case "not":
                return lib.Z3_mk_not(ctx, self.translate(term.args[0]))
            case "and" | "or":
                make = lib.Z3_mk_and if term.op == "and" else lib.Z3_mk_or
                return make(ctx, len(term.args), self._array([self.translate(part) for part in term.args]))
            case "div":
                return lib.Z3_mk_div(ctx, self.translate(term.args[0]), self._number(term.args[1]))
            case "ite":
                return lib.Z3_mk_ite(ctx, *(self.translate(arg) for arg in term.args))
            case "same" | "iff":
                return lib.Z3_mk_eq(ctx, *(self.translate(arg) for arg in term.args))
            case "true":
                return lib.Z3_mk_true(ctx)
            case "false":
                return lib.Z3_mk_false(ctx)
        return self._build_bitvector(term)

    def _sort(self, sort: Sort) -> Any:
        if sort not in self._sorts:
            self._sorts[sort] = self._lib.Z3_mk_bv_sort(self._ctx, sort.width)
        return self._sorts[sort]

    def _build_bitvector(self, term: Term) -> Any:
        lib, ctx = self._lib, self._ctx
        if term.op == "bvconst":
            return lib.Z3_mk_numeral(ctx, str(term.args[0]), self._sort(term.sort))
        if term.op == "bvlin":
            return self._bitvector_sum(term)
        assert term.op not in ("load", "room"), "reads of the state must be resolved before a solver sees them"
        operands = [self.translate(arg) for arg in term.args if isinstance(arg, Term)]
        numbers = [arg for arg in term.args if not isinstance(arg, Term)]
        function = getattr(lib, "Z3_mk_" + _Z3_NAMES.get(term.op, term.op))
        return function(ctx, *numbers, *operands)

    def _bitvector_sum(self, term: Term) -> Any:
        lib, ctx = self._lib, self._ctx
        coefficients, constant = term.args
        parts = []
        for factor, c in coefficients:
            weight = lib.Z3_mk_numeral(ctx, str(c), self._sort(term.sort))
            parts.append(self.translate(factor) if c == 1 else lib.Z3_mk_bvmul(ctx, weight, self.translate(factor)))
        if constant:
            parts.append(lib.Z3_mk_numeral(ctx, str(constant), self._sort(term.sort)))
        total = parts[0]
        for part in parts[1:]:
            total = lib.Z3_mk_bvadd(ctx, total, part)
        return total


_Z3_NAMES = {
    "zero_extend": "zero_ext",
    "sign_extend": "sign_ext",
}
"""Where the C API's name differs from the operation's."""
