"""Random MSVL programs with few inputs, random properties, and the true verdict by trying all inputs.

Words come from the interpreter and are judged by the evaluator of counterexamples: nothing is shared with the engine's
exploration, product or solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Literal

from pincer.evidence.pptl.formula import TooManyCases
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.truth import TruthJudge
from pincer.execution.msvl import Execution, StateObserver, execute
from pincer.frontends.msvl import Program, parse_condition, parse_program
from pincer.frontends.source import SourceText

CHOICES = ("s_or", "s_or#2")
FRAME = "frame(i,j,a,b) and (bool i and bool j and input(i) and input(j) and skip; {start}; {body})"


@dataclass(frozen=True)
class Model:
    """A program, what its propositions say, and a formula over them."""

    program: str
    defines: dict[str, str]
    formula: str

    @property
    def block(self) -> str:
        defines = "".join(f"define {name}: {text}; " for name, text in self.defines.items())
        return f"</ {defines}{self.formula} />"


class RandomModels:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._choices_left = len(CHOICES)

    def model(self) -> Model:
        pick = self._random
        start = (
            f"int a<=={pick.choice(('3*i-1', 'i+j', '2-i'))} and int b<=={pick.choice(('2*j', 'i-j', '0'))} and skip"
        )
        looping = pick.random() < 0.4
        if looping:
            self._choices_left = 0
        body = self._statement(pick.randint(1, 3))
        if looping:
            body = f"while({pick.choice(('true', 'a<=2', 'b!=1'))}) {{{body}; skip}}"
        defines = {"p": self._condition(), "q": self._condition()}
        return Model(FRAME.format(start=start, body=body), defines, self._formula(pick.randint(1, 3)))

    def _expression(self) -> str:
        pick = self._random.choice
        left, right = pick(("a", "b", "i", "j")), pick(("a", "b", "i", "j", "1", "2"))
        return f"({left} {pick(('+', '-'))} {right}) % {pick(('3', '4'))}"

    def _condition(self) -> str:
        pick = self._random.choice
        text = f"{pick(('a', 'b', 'a+b', 'i', 'a-j'))} {pick(('=', '<', '>=', '!='))} {pick(('0', '1', '2', 'b'))}"
        return f"{text} {pick(('AND', 'OR'))} {self._condition()}" if self._random.random() < 0.2 else text

    def _statement(self, depth: int) -> str:
        pick = self._random
        kind = pick.randrange(7) if depth else pick.randrange(2)
        if kind == 0:
            return pick.choice(("skip", "len(2)", "empty", f"(a<=={self._expression()} and skip)"))
        if kind == 1:
            return f"a:={self._expression()}" if pick.random() < 0.5 else f"b:={self._expression()}"
        inner = [self._statement(depth - 1) for _ in range(2)]
        if kind == 2 and self._choices_left:
            self._choices_left -= 1
            return f"({inner[0]} or {inner[1]})"
        if kind == 3:
            return f"(a:={self._expression()} || b:={self._expression()})"
        if kind == 4:
            return f"(a:={self._expression()} and {pick.choice(('skip', f'b:={self._expression()}', 'len(2)'))})"
        if kind == 5:
            return f"({inner[0]}; {inner[1]})"
        return f"if({self._condition()}) then {{{inner[0]}}} else {{{inner[1]}}}"

    def _formula(self, depth: int) -> str:
        pick = self._random
        if not depth:
            return pick.choice(("p", "q", "!p", "empty", "more", "len(3)", "true"))
        one, two = self._formula(depth - 1), self._formula(depth - 1)
        unary = ("[]({})", "<>({})", "()({})", "!({})", "fin({})", "keep({})", "({})*")
        binary = ("({}) && ({})", "({}) || ({})", "({}) -> ({})", "({}) ; ({})", "({}) U ({})", "(len(2), {}) prj ({})")
        patterns = (*unary, *binary)
        return pick.choice(patterns).format(one, two)


def true_verdict(model: Model) -> Literal["safe", "unsafe"] | None:
    """Whether some input violates the property; None when a run neither ends nor repeats, or fails.

    None also when the formula is too large for the judge.
    """
    try:
        return _true_verdict(model)
    except TooManyCases:
        return None


def _true_verdict(model: Model) -> Literal["safe", "unsafe"] | None:
    program = parse_program(model.program, "random.m")
    formula, judge = read_formula(model.formula), TruthJudge()
    verdict: Literal["safe", "unsafe"] = "safe"
    for values in product((0, 1), repeat=2 + len(CHOICES)):
        execution = execute(program, dict(zip(("s_i", "s_j", *CHOICES), values, strict=True)))
        word = _word(program, model, execution)
        match execution.ending.kind:
            case "terminated":
                holds = judge.on_finite(formula, word)
            case "lasso":
                assert execution.ending.start is not None
                holds = judge.on_lasso(formula, word, execution.ending.start)
            case "inconsistent":
                holds = True
            case _:
                return None
        if not holds:
            verdict = "unsafe"
    return verdict


def _word(program: Program, model: Model, execution: Execution) -> list[frozenset[str]]:
    observer = StateObserver(program)
    meaning = {name: parse_condition(text, SourceText("random.m", text)) for name, text in model.defines.items()}
    return [
        frozenset(name for name, said in meaning.items() if observer.observe(state, said).value)
        for state in execution.states
    ]
