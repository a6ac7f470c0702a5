"""Questions about claims with answers that help: which goals fail in a counterexample, which facts a proof needed.

The solver is one that speaks SMT-LIB text, since claims are written so. Work is limited in its own units, not in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincer.engines.outlines.limits import LIMITS
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.solvers import SolverError, Z3Text
from pincer.runtime.run import Run


class OutlineQuestions:
    """One session; `asked` counts the questions."""

    def __init__(self, script: Script, run: Run) -> None:
        self.asked = 0
        self._script = script
        self._run = run
        self._text = Z3Text(run)
        self._defined = 0
        self._named: set[str] = set()
        options = f"(set-option :produce-unsat-cores true)(set-option :rlimit {LIMITS.effort})"
        self._said(f"{options}(set-logic QF_UFBV)")

    def _said(self, text: str) -> str:
        try:
            return self._text.said(text)
        except SolverError as error:
            return f"error: {error}"

    def _define(self) -> None:
        lines, self._defined = self._script.lines_after(self._defined)
        if lines:
            self._said(lines)

    def refuted(self, known: Sequence[Node], wrong: Node, goals: Sequence[Node]) -> list[Node] | None:
        """The goals that fail in a state with `known` and `wrong`; None when there is no such state, all of them when
        the solver does not know."""
        self._run.poll()
        self.asked += 1
        formula = self._with_facts([*known, wrong])
        self._define()
        names = " ".join(goal.text for goal in goals)
        told = self._said(f"(push 1)(assert {self._script.question(formula)})(check-sat)")
        failing: list[Node] | None
        if told == "unsat":
            failing = None
        elif told == "sat":
            values = self._said(f"(get-value ({names}))") if goals else ""
            failing = [goal for goal in goals if f"({goal.text} false)" in values]
            failing = failing or list(goals)
        else:
            failing = list(goals)
        self._said("(pop 1)")
        return failing

    def _with_facts(self, parts: Sequence[Node]) -> Node:
        whole = self._script.conjunction(parts)
        return self._script.conjunction((*self._script.facts(whole), *parts))

    def needed(self, fixed: Sequence[Node], optional: Iterable[Node]) -> list[Node] | None:
        """Those of the `optional` conditions that refute the fixed ones; None if that is not known."""
        self._run.poll()
        self.asked += 1
        options = list(dict.fromkeys(optional))
        whole = self._script.conjunction([*fixed, *options])
        formula = self._script.conjunction((*self._script.facts(whole), *fixed))
        self._define()
        for option in options:
            if option.text not in self._named:
                self._named.add(option.text)
                self._said(f"(declare-const use-{option.text} Bool)(assert (=> use-{option.text} {option.text}))")
        names = " ".join(f"use-{option.text}" for option in options)
        told = self._said(f"(push 1)(assert {self._script.question(formula)})(check-sat-assuming ({names}))")
        core = self._said("(get-unsat-core)") if told == "unsat" else None
        self._said("(pop 1)")
        if core is None:
            return None
        used = set(core.strip("()").split())
        return [option for option in options if f"use-{option.text}" in used]
