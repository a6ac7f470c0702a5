"""`python -m tests.fuzz.msvl.translations --cases N --seed S`: MSVL programs beside their translations.

Runs of the execution, which shares nothing with the translation, must be runs of the guarded program and the other way
round, state by state; verdicts by translation must be those of an exploration where both are decided.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from pincer.checking.confirm_msvl import TemporalConfirmation
from pincer.checking.result import Unknown
from pincer.checking.task import Source, Task
from pincer.engines.dse.options import SHORTLY, CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.msvl.verify import TranslationSettings
from pincer.engines.msvl.verify import check as check_translated
from pincer.engines.task import EngineTask
from pincer.errors import UnsupportedError
from pincer.evidence.gcl.interpreter import is_initial, successors
from pincer.evidence.msvl.controls import ControlStep, input_symbol
from pincer.evidence.msvl.forms import LinearCondition, Quotient, Terms
from pincer.evidence.msvl.guarded import AT, MsvlQuestion, Translated, translated
from pincer.evidence.msvl.rounds import Astray, follow
from pincer.execution.msvl import Execution, Options, StateObserver, execute
from pincer.frontends.msvl import Program, parse_condition, parse_program
from pincer.frontends.msvl.asked import asked_property
from pincer.frontends.source import SourceText
from pincer.runtime.reasons import Cause
from pincer.runtime.run import Run
from tests.evidence.msvl.random_statements import RandomStatements

CONDITIONS = {"p": "x>0", "q": "y<=x AND z!=2", "r": "x%2=0"}
FORMULAS = (
    "[]{x>=-3}", "<>{x>2}", "[]<>{y>x}", "<>[]{z!=2}", "[]({x>0} -> <>{y<=0})", "<>empty", "[]({z=1} -> ()({x!=2}))",
    "({x>=0} ; {y>0})", "[]{z>=0}", "<>{y!=2}",
)  # fmt: skip
Env = dict[str, int]


class SimpleStatements(RandomStatements):
    """Statements about three integers, with linear expressions."""

    def program(self) -> str:
        head = self._one("int x<==1 and int y<==2", "int x and int y and input(x,y)", "int x<==0 and int y<==x")
        tail = self._one("", "; while(true) {" + self.statement(1) + "; z:=z+1}")
        return f"frame(x,y,z) and ({head} and int z<==0 and skip; {self.statement(3)}{tail})"

    def place(self) -> str:
        return self._one("x", "y", "z")

    def expression(self, depth: int = 2) -> str:
        left = self._one(self.place(), self.place(), self._number())
        match self._random.randrange(7):
            case 0:
                return f"({left} {self._one('/', '%')} {self._one('2', '3', '(-2)')})"
            case 1:
                return f"({self._number()}*{left} - {self.place()})"
            case 2 | 3:
                return f"({left} {self._one('+', '-')} {self._one(self.place(), self._number())})"
            case 4:
                return f"(if({left} > {self._number()}) then {self.place()} else {self._number()})"
        return left

    def _leaf(self) -> str:
        match self._random.randrange(12):
            case 0 | 1 | 2 | 3 | 4:
                return f"{self.place()}:={self.expression()}"
            case 5 | 6:
                return f"({self.place()}<=={self.expression()} and {self._one('skip', 'empty', 'true')})"
            case 7:
                return self._one("skip", "empty", "len(2)", "more", f"halt({self.condition()})")
            case 8:
                return f"(input({self.place()}) and skip)"
        return f"{self._one('x', 'y')}:={self.expression(1)}"

    def statement(self, depth: int) -> str:
        made = super().statement(depth)
        return made.replace("a[1]", "y")


def value(terms: Terms, constant: int, env: Mapping[str, int]) -> int:
    total = constant
    for symbol, factor in terms:
        if isinstance(symbol, Quotient):
            total += factor * (value(symbol.terms, symbol.constant, env) // symbol.divisor)
        else:
            total += factor * env[symbol]
    return total


def meets(conditions: Sequence[LinearCondition], env: Mapping[str, int]) -> bool:
    for terms, constant, comparison in conditions:
        found = value(terms, constant, env)
        if not {"=": found == 0, "!=": found != 0, ">=": found >= 0}[comparison]:
            return False
    return True


def run_disagreement(program: Program, made: Translated, ran: Execution) -> str:
    """Where an execution goes otherwise than the controls say."""
    observer = StateObserver(program, Options())
    said = {name: parse_condition(text, SourceText("c", text)) for name, text in CONDITIONS.items()}
    env: Env = {}
    steps: list[ControlStep] = made.controls.first
    count = len(ran.states) + (ran.ending.kind in ("error", "inconsistent"))
    for number in range(count):
        inputs: Env = {}
        seen: Counter[tuple[int | None, int | None]] = Counter()
        for read in ran.inputs:
            if read.state == number:
                inputs[input_symbol(read.low, read.high, seen[read.low, read.high])] = read.value
                seen[read.low, read.high] += 1
        known = {**env, **inputs}
        taken = [
            step
            for step in steps
            if {reading.symbol for reading in step.readings} <= known.keys() and meets(step.conditions, known)
        ]
        if len(taken) != 1:
            return f"{len(taken)} ways lead on at state {number}"
        step = taken[0]
        if number == len(ran.states):
            return "" if step.wrong else f"the run breaks at state {number}: {ran.ending.reason}"
        if step.target is None:
            return f"a way goes wrong at state {number} ({step.wrong})"
        env |= {symbol: value(*form, known) for symbol, form in step.values.items()}
        state, target = ran.states[number], made.controls.listed[step.target]
        for name, shown in state.values().items():
            same = [symbol for symbol in step.values if symbol.rpartition(" ")[0] == name]
            if len(same) == 1 and isinstance(shown, int) and env[same[0]] != shown:
                return f"{name} is {shown} at state {number}, not {env[same[0]]}"
        for name, what in said.items():
            holds = any(meets(conditions, env) for conditions in target.letters[name])
            if observer.observe(state, what).value != holds:
                return f"{name} is {not holds} at state {number}"
        ends = number + 1 == len(ran.states) and ran.ending.kind == "terminated"
        if target.ended != ends:
            return f"the run ends otherwise at state {number}"
        steps = target.steps
    return ""


def walk_disagreement(program: Program, made: Translated, random: Random, most: int = 12) -> str:
    """Where a run of the guarded program is none of the MSVL program, for its evaluator or for the execution."""
    states = guarded_walk(made, random, most)
    if not states:
        return ""
    try:
        found = follow(program, made, states)
    except Astray as astray:
        return str(astray)
    ran = execute(program, found.inputs, Options(max_states=len(states)))
    texts = [state.texts() for state in ran.states]
    compared = len(texts) if ran.ending.kind == "lasso" else len(states)
    if texts[:compared] != [dict(state.values) for state in found.states][:compared]:
        return f"the execution has other states: {texts}"
    ended = ran.ending.kind == "terminated"
    stuck = not any(True for _ in successors(made.program, states[-1], (0,)))
    if len(states) == len(ran.states) and ended != stuck:
        return f"the execution {'ends' if ended else 'goes on'}"
    return ""


def guarded_walk(made: Translated, random: Random, most: int) -> list[Mapping[str, int]]:
    """States of a run of the guarded program that does not go wrong."""
    program = made.program
    state = dict.fromkeys((variable.name for variable in program.variables), 0)
    for _ in range(40):
        for name in state:
            state[name] = random.randint(-3, 3)
        state[AT] = random.randrange(len(made.controls.listed) + 1)
        step = random.choice(made.controls.first)
        known = {reading.symbol: random.randint(max(reading.low or -3, -3), 3) for reading in step.readings}
        if not meets(step.conditions, known) or step.target is None:
            continue
        after = {reading.symbol for one in made.controls.listed[step.target].steps for reading in one.readings}
        for symbol, name in made.names.items():
            form = step.values.get(symbol)
            first = symbol.removeprefix("first ")
            state[name] = 0 if form is None else value(*form, known)
            if symbol.startswith("first ") and first in known:
                state[name] = known[first]
            elif symbol in after:
                state[name] = random.randint(0, 1)
        state[AT] = step.target
        if not is_initial(program, state):
            raise AssertionError("an initial state is none")
        break
    else:
        return []
    states: list[Mapping[str, int]] = [dict(state)]
    while len(states) < most:
        following = [after for _, after in successors(program, states[-1], (random.randint(-3, 3),))]
        wrong = len(made.controls.listed)
        following = [after for after in following if after[AT] != wrong]
        if not following:
            break
        states.append(random.choice(following))
    return states


def verdict_disagreement(program: Program, text: str, counts: Counter[str]) -> str:
    """Where the two ways to decide differ."""
    asked = asked_property(text)
    settings = TranslationSettings("", ("property",))
    [claim] = check_translated(EngineTask(program, (asked,), settings), Run(timeout=20))
    confirmation = TemporalConfirmation(program, Task(Source("t.m")), Run(timeout=20))
    mine = confirmation.result(claim, asked)
    options = SHORTLY.of(CheckOptions())
    [other] = check(EngineTask(program, (asked,), options), Run(timeout=20))
    theirs = confirmation.result(other)
    counts[f"verdicts {mine.verdict}/{theirs.verdict}"] += 1
    if isinstance(mine, Unknown):
        counts[f"  open: {mine.reason.text[:90]}"] += 1
    if mine.verdict != claim.verdict and not (isinstance(mine, Unknown) and mine.reason.cause is Cause.TIME):
        return f"{text}: not confirmed: {getattr(mine, 'reason', '')}"
    decided = {mine.verdict, theirs.verdict} - {"unknown"}
    return f"{text}: {mine.verdict} by translation, {theirs.verdict} by exploration" if len(decided) > 1 else ""


def compare(seed: int, counts: Counter[str], verdicts: bool = True) -> list[str]:
    """All disagreements about the program of a seed."""
    random = Random(seed)
    text = (RandomStatements if seed % 5 == 0 else SimpleStatements)(seed).program()
    program = parse_program(text, "t.m")
    try:
        made = translated(program, "", MsvlQuestion("property", "p and q and r", CONDITIONS))
    except UnsupportedError as error:
        counts["not translated"] += 1
        counts[f"  {error}"] += 1
        return []
    counts["translated"] += 1
    found = []
    for number in range(4):
        ran = execute(program, {}, Options(seed=number, max_states=40, input_range=(-3, 3)))
        found.append(run_disagreement(program, made, ran))
        found.append(walk_disagreement(program, made, random))
        counts["runs"] += 2
    if verdicts:
        found.append(verdict_disagreement(program, random.choice(FORMULAS), counts))
    return [f"seed {seed}: {problem}\n{text}" for problem in found if problem]


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    started = time.monotonic()
    for seed in range(args.seed, args.seed + args.cases):
        for problem in compare(seed, counts, not args.runs_only):
            wrong += 1
            print(problem, flush=True)
    print(f"{args.cases} cases in {time.monotonic() - started:.1f} s; wrong {wrong}")
    for name, count in sorted(counts.items(), key=lambda item: -item[1])[:24]:
        print(f"  {name}: {count}")
    return int(wrong > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.msvl.translations", description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--runs-only", action="store_true", help="compare runs, not verdicts")
    return parser


if __name__ == "__main__":
    sys.exit(main())
