"""Solvers that decide quantifier-free formulas over bit-vectors and unknown functions: text in, a verdict out.

Z3 is the quickest on the many small questions of a proof, cvc5 the steadier one on hard ones. Bitwuzla comes last: it
is what engines ask, and a mistake of theirs should not be repeated here.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

from pincer.evidence.solvers import SolverError
from pincer.runtime.run import Run

ORDER = ("z3", "cvc5", "bitwuzla")
"""Who is asked, first to last."""


class Session(Protocol):
    """A session keeps its declarations and definitions; every question is about one formula."""

    name: str

    def define(self, text: str) -> None:
        """Declarations and definitions, kept for the rest of the session."""

    def verdict(self, formula: str, seconds: float) -> str:
        """`sat`, `unsat` or `unknown` for a formula over what was defined."""


def open_session(name: str, run: Run | None) -> Session | None:
    """A new session, None when the solver is not installed."""
    try:
        if name == "cvc5":
            return _Cvc5()
        return _Z3(run) if name == "z3" else _Bitwuzla(run)
    except ImportError:
        return None


def _word(output: str) -> str:
    """The verdict in an answer; anything else is a complaint."""
    if output in ("sat", "unsat"):
        return output
    if output.startswith(("unknown", "timeout")):
        return "unknown"
    raise SolverError(output)


class _Cvc5:
    """Cannot be interrupted; the time limit of each query stands in."""

    name = "cvc5"

    def __init__(self) -> None:
        import cvc5

        manager = cvc5.TermManager()
        self._solver = cvc5.Solver(manager)
        self._symbols = cvc5.SymbolManager(manager)
        self._parser = cvc5.InputParser(self._solver, self._symbols)
        self._language: Any = cvc5.InputLanguage.SMT_LIB_2_6
        self._limit = 0
        self.define("(set-option :incremental true)(set-logic QF_UFBV)")

    def _execute(self, text: str) -> str:
        output = ""
        try:
            self._parser.setStringInput(self._language, text, "proof")
            while not (command := self._parser.nextCommand()).isNull():
                output += str(command.invoke(self._solver, self._symbols))
        except RuntimeError as error:
            raise SolverError(str(error)) from error
        return output.strip()

    def define(self, text: str) -> None:
        output = self._execute(text)
        if output:
            raise SolverError(output)

    def verdict(self, formula: str, seconds: float) -> str:
        limit = max(1, round(seconds * 1000))
        option = "" if limit == self._limit else f"(set-option :tlimit-per {limit})"
        self._limit = limit
        return _word(self._execute(f"{option}(push 1)(assert {formula})(check-sat)(pop 1)"))


class _Z3:
    name = "z3"

    def __init__(self, run: Run | None) -> None:
        import z3

        self._context = z3.Context()
        self._evaluate = z3.Z3_eval_smtlib2_string
        self._error: type[Exception] = z3.Z3Exception
        self._limit = 0
        if run is not None:
            run.interruptible(self._context.interrupt)
        self.define("(set-logic QF_UFBV)")

    def _execute(self, text: str) -> str:
        try:
            return str(self._evaluate(self._context.ref(), text)).strip()
        except self._error as error:
            raise SolverError(str(error)) from error

    def define(self, text: str) -> None:
        output = self._execute(text)
        if output:
            raise SolverError(output)

    def verdict(self, formula: str, seconds: float) -> str:
        limit = max(1, round(seconds * 1000))
        option = "" if limit == self._limit else f"(set-option :timeout {limit})"
        self._limit = limit
        return _word(self._execute(f"{option}(push 1)(assert {formula})(check-sat)(pop 1)"))


class _Bitwuzla:
    name = "bitwuzla"

    def __init__(self, run: Run | None) -> None:
        import bitwuzla

        self._deadline = 0.0
        self._run = run
        self._error: type[Exception] = bitwuzla.BitwuzlaException
        self._parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
        self.define("(set-logic QF_UFBV)")
        self._solver = self._parser.bitwuzla()
        self._solver.configure_terminator(self._expired)

    def _expired(self) -> bool:
        stopped = self._run is not None and self._run.stop_reason is not None
        return stopped or time.monotonic() > self._deadline

    def define(self, text: str) -> None:
        try:
            self._parser.parse(text, True, False)
        except self._error as error:
            raise SolverError(str(error)) from error

    def verdict(self, formula: str, seconds: float) -> str:
        self._deadline = time.monotonic() + seconds
        try:
            self._solver.push()
            self._solver.assert_formula(self._parser.parse_term(formula))
            result = str(self._solver.check_sat())
            self._solver.pop()
        except self._error as error:
            raise SolverError(str(error)) from error
        return result
