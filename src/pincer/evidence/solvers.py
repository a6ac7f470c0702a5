"""Solvers behind one door: SMT-LIB text in, a verdict out.

cvc5 does not rest on what engines use. Z3 is the quickest on many small questions. Bitwuzla is what engines ask about
C, and a mistake of theirs should not be repeated here: it comes last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias

from pincer.errors import PincerError
from pincer.runtime import clock
from pincer.runtime.run import Run

SmtLogic: TypeAlias = Literal["QF_LIA", "QF_UFBV", "QF_UFBVFP"]
"""Linear integer arithmetic; or bit-vectors and unknown functions, without and with floating point."""


class SolverError(Exception):
    """The solver rejected its input; the session must not be used any more."""


class Session(Protocol):
    """A session keeps its declarations and definitions; every question is about one formula."""

    name: str

    def define(self, text: str) -> None:
        """Declarations and definitions, kept for the rest of the session."""

    def verdict(self, formula: str, seconds: float) -> str:
        """`sat`, `unsat` or `unknown` for a formula over what was defined."""


def open_session(name: str, logic: SmtLogic, run: Run | None) -> Session | None:
    """A new session, None when the solver is not installed."""
    try:
        match name:
            case "cvc5":
                return _Cvc5(logic)
            case "z3":
                return _Z3(logic, run)
            case "z3 once":
                return _Z3Once(logic, run)
            case "bitwuzla":
                return _Bitwuzla(logic, run)
    except ImportError:
        return None
    raise PincerError(f"there is no solver named {name!r}")


class _TextSession:
    """A session with a solver that executes commands as text; `_time_option` limits one question, in milliseconds."""

    _time_option: str
    _limit = 0

    def _execute(self, text: str) -> str:
        raise NotImplementedError

    def define(self, text: str) -> None:
        output = self._execute(text)
        if output:
            raise SolverError(output)

    def verdict(self, formula: str, seconds: float) -> str:
        limit = max(1, round(clock.on_the_wall(seconds) * 1000))
        option = "" if limit == self._limit else f"(set-option {self._time_option} {limit})"
        self._limit = limit
        output = self._execute(f"{option}(push 1)(assert {formula})(check-sat)(pop 1)")
        if output.startswith(("unknown", "timeout")):
            return "unknown"
        if output not in ("sat", "unsat"):
            raise SolverError(output)
        return output


class _Cvc5(_TextSession):
    """Cannot be interrupted; the time limit of each question stands in."""

    name = "cvc5"
    _time_option = ":tlimit-per"

    def __init__(self, logic: SmtLogic) -> None:
        import cvc5

        manager = cvc5.TermManager()
        self._solver = cvc5.Solver(manager)
        self._symbols = cvc5.SymbolManager(manager)
        self._parser = cvc5.InputParser(self._solver, self._symbols)
        self._language: Any = cvc5.InputLanguage.SMT_LIB_2_6
        self.define(f"(set-option :incremental true)(set-logic {logic})")

    def _execute(self, text: str) -> str:
        output = ""
        try:
            self._parser.setStringInput(self._language, text, "proof")
            while not (command := self._parser.nextCommand()).isNull():
                output += str(command.invoke(self._solver, self._symbols))
        except RuntimeError as error:
            raise SolverError(str(error)) from error
        return output.strip()


class Z3Text:
    """A session of Z3 that executes commands as text.

    Z3 takes limits that a text sets for those of the whole process: other sessions get theirs back at once.
    """

    def __init__(self, run: Run | None) -> None:
        import z3

        self._context = z3.Context()
        self._evaluate: Any = z3.Z3_eval_smtlib2_string
        self._set_for_all: Callable[[str, int], None] = z3.set_param
        self._error: type[Exception] = z3.Z3Exception
        if run is not None:
            run.interruptible(self._context.interrupt)

    def said(self, text: str) -> str:
        """What Z3 answers to commands."""
        try:
            return str(self._evaluate(self._context.ref(), text)).strip()
        except self._error as error:
            raise SolverError(str(error)) from error
        finally:
            if "(set-option" in text:
                self._set_for_all("timeout", _NO_TIMEOUT)
                self._set_for_all("rlimit", 0)


_NO_TIMEOUT = 2**32 - 1


class _Z3(_TextSession):
    name = "z3"
    _time_option = ":timeout"

    def __init__(self, logic: SmtLogic, run: Run | None) -> None:
        self._text = Z3Text(run)
        self.define(f"(set-logic {logic})")

    def _execute(self, text: str) -> str:
        return self._text.said(text)


class _Z3Once:
    """Z3 with all of its preprocessing, which it leaves out where further questions may follow: every question goes to
    a solver of its own."""

    name = "z3"

    def __init__(self, logic: SmtLogic, run: Run | None) -> None:
        import z3

        self._logic = logic
        self._context = z3.Context()
        self._error: type[Exception] = z3.Z3Exception
        self._text: Any = z3.ParserContext(ctx=self._context)
        self._solver: Callable[..., Any] = z3.SolverFor
        if run is not None:
            run.interruptible(self._context.interrupt)

    def define(self, text: str) -> None:
        try:
            self._text.from_string(text)
        except self._error as error:
            raise SolverError(str(error)) from error

    def verdict(self, formula: str, seconds: float) -> str:
        try:
            solver = self._solver(self._logic, ctx=self._context)
            solver.set("timeout", max(1, round(clock.on_the_wall(seconds) * 1000)))
            asserted = self._text.from_string(f"(assert {formula})")
            if len(asserted) != 1:
                raise SolverError("z3 reads one question as several")
            solver.add(asserted)
            return str(solver.check())
        except self._error as error:
            raise SolverError(str(error)) from error


class _Bitwuzla:
    name = "bitwuzla"

    def __init__(self, logic: SmtLogic, run: Run | None) -> None:
        import bitwuzla

        self._deadline = 0.0
        self._run = run
        self._error: type[Exception] = bitwuzla.BitwuzlaException
        self._parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
        self.define(f"(set-logic {logic})")
        self._solver = self._parser.bitwuzla()
        self._solver.configure_terminator(self._expired)

    def _expired(self) -> bool:
        stopped = self._run is not None and self._run.stop_reason is not None
        return stopped or clock.now() > self._deadline

    def define(self, text: str) -> None:
        try:
            self._parser.parse(text, True, False)
        except self._error as error:
            raise SolverError(str(error)) from error

    def verdict(self, formula: str, seconds: float) -> str:
        self._deadline = clock.now() + seconds
        try:
            self._solver.push()
            self._solver.assert_formula(self._parser.parse_term(formula))
            result = str(self._solver.check_sat())
            self._solver.pop()
        except self._error as error:
            raise SolverError(str(error)) from error
        return result
