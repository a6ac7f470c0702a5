"""Two independent solvers behind one door: SMT-LIB text in, a verdict out."""

from __future__ import annotations

from typing import Any, Protocol

from pincer.errors import PincerError
from pincer.runtime.run import Run


class SolverError(Exception):
    """The solver rejected its input; the session must not be used any more."""


class TextSolver(Protocol):
    """A solver session over linear integer arithmetic that keeps declarations and definitions."""

    name: str

    def define(self, text: str) -> None:
        """Declarations and definitions, kept for the rest of the session."""

    def verdict(self, assertions: str, seconds: float) -> str:
        """`sat`, `unsat`, or `unknown`, possibly with a reason."""


def open_solver(name: str, run: Run | None) -> tuple[TextSolver, str]:
    """The session asked for, and a remark when it had to be replaced."""
    if name not in ("cvc5", "z3"):
        raise PincerError(f"there is no solver named {name!r}: use cvc5 or z3")
    if name == "z3":
        return _Z3(run), ""
    try:
        return _Cvc5(), ""
    except ImportError:
        return _Z3(run), "cvc5 is not installed: checked with z3"


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
        self._execute("(set-option :incremental true)(set-logic QF_LIA)")

    def _execute(self, text: str) -> str:
        self._parser.setStringInput(self._language, text, "certificate")
        output = ""
        try:
            while not (command := self._parser.nextCommand()).isNull():
                output += str(command.invoke(self._solver, self._symbols))
        except RuntimeError as error:
            raise SolverError(str(error)) from error
        return output.strip()

    def define(self, text: str) -> None:
        output = self._execute(text)
        if output:
            raise SolverError(output)

    def verdict(self, assertions: str, seconds: float) -> str:
        limit = max(1, round(seconds * 1000))
        option = "" if limit == self._limit else f"(set-option :tlimit-per {limit})"
        self._limit = limit
        return self._execute(f"{option}(push 1){assertions}(check-sat)(pop 1)")


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
        self.define("(set-logic QF_LIA)")

    def _execute(self, text: str) -> str:
        try:
            return str(self._evaluate(self._context.ref(), text)).strip()
        except self._error as error:
            raise SolverError(str(error)) from error

    def define(self, text: str) -> None:
        output = self._execute(text)
        if output:
            raise SolverError(output)

    def verdict(self, assertions: str, seconds: float) -> str:
        limit = max(1, round(seconds * 1000))
        option = "" if limit == self._limit else f"(set-option :timeout {limit})"
        self._limit = limit
        return self._execute(f"{option}(push 1){assertions}(check-sat)(pop 1)")
