"""One random formula at a time: what Pincer says about it against what the direct evaluators say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from random import Random

from pincer.errors import PincerError
from pincer.evidence.pptl.automaton import CheckedAutomaton, negates_iteration
from pincer.evidence.pptl.formula import not_ as negated
from pincer.evidence.pptl.reading import read_formula
from pincer.temporal.derivative import cases, derivative, holds_in_state, satisfies
from pincer.temporal.formula import Formula, not_
from pincer.temporal.graph import components, expand
from pincer.temporal.iterations import iteration_graph
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import Meter, TemporalLimits, TooLarge
from pincer.temporal.lnfg import build_lnfg, node_path
from pincer.temporal.parser import parse_formula, parse_ltl
from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite
from pincer.temporal.text import formula_text

from .automata import accepts
from .direct import Direct, canonical
from .ltl_direct import ltl_holds
from .trees import Letters, Shape, Tree, ltl_text, random_letters, random_ltl, random_tree, text

HORIZONS = (8, 16, 32, 64)
LIMITS = TemporalLimits(nodes=5_000, diagram_nodes=200_000)


@dataclass
class Findings:
    """How many comparisons were made, and those that disagree."""

    compared: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    def compare(self, what: str, agree: bool, message: str) -> None:
        self.compared[what] += 1
        if not agree:
            self.disagreements.append(f"{what}: {message}")


def compare_words(seed: int, findings: Findings, words: int = 20) -> None:
    """Truth on finite words, by derivatives and through the labelled graph; and the text of the formula."""
    random = Random(seed)
    tree = random_tree(random, Shape(9))
    formula = parse_formula(text(tree, words=seed % 2 == 1)).formula
    shown = formula_text(formula)
    findings.compare("texts", parse_formula(shown).formula is formula, f"{text(tree)} is printed as {shown}")
    oracle = Direct(0)
    for _ in range(words):
        word = random_letters(random, random.randint(1, 6))
        expected = oracle.holds(tree, (word, ()))
        findings.compare("words", satisfies(formula, word) == expected, f"{text(tree)} on {_shown(word)} is {expected}")
    _compare_graph(formula, tree, random, oracle, findings)


def _compare_graph(formula: Formula, tree: Tree, random: Random, oracle: Direct, findings: Findings) -> None:
    try:
        lnfg = build_lnfg(formula, LIMITS)
    except TooLarge:
        findings.compared["graphs too large"] += 1
        return
    for _ in range(3):
        word = random_letters(random, random.randint(1, 5))
        expected = oracle.holds(tree, (word, ()))
        found = node_path(lnfg, word, ended=True) is not None
        findings.compare("graph paths", found == expected, f"{text(tree)} on {_shown(word)} is {expected}")
        by_letter = derivative(formula, word[0])
        by_case = [rest for guard, rest in cases(formula) if holds_in_state(guard, word[0])]
        findings.compare("cases", by_case == [by_letter], f"{text(tree)} after {_shown(word[:1])}")


def compare_lassos(seed: int, findings: Findings, lassos: int = 10) -> None:
    """Truth on infinite intervals. The horizon of the oracle is widened before a disagreement is believed."""
    random = Random(seed)
    tree = random_tree(random, Shape(8))
    formula = parse_formula(text(tree)).formula
    for _ in range(lassos):
        prefix, loop = random_letters(random, random.randint(0, 3)), random_letters(random, random.randint(1, 3))
        found = holds_on_lasso(formula, Lasso(prefix, loop))
        agree = False
        for horizon in HORIZONS:
            agree = Direct(horizon).holds(tree, canonical(prefix, loop)) == found
            if agree:
                break
            findings.compared["lassos with a wider horizon"] += 1
        findings.compare("lassos", agree, f"{text(tree)} on {_shown(prefix)}({_shown(loop)}) is not {found}")


def compare_automata(seed: int, findings: Findings, lassos: int = 10) -> None:
    """The checker's automaton of a negated formula accepts what the engine takes for no model of the formula, and
    nothing else unless an iteration is negated."""
    random = Random(seed)
    said = text(random_tree(random, Shape(7)))
    formula, negation = parse_formula(said).formula, negated(read_formula(said))
    try:
        automaton = CheckedAutomaton(negation)
    except PincerError:
        findings.compared["automata too large"] += 1
        return
    exact = not negates_iteration(negation)
    for _ in range(lassos):
        prefix, loop = random_letters(random, random.randint(0, 3)), random_letters(random, random.randint(1, 3))
        violates = not holds_on_lasso(formula, Lasso(prefix, loop))
        if violates or exact:
            right = accepts(automaton, prefix, loop) is violates
            findings.compare("automata", right, f"{said} on {_shown(prefix)}({_shown(loop)}) is {not violates}")


def compare_decisions(seed: int, findings: Findings) -> None:
    """Models satisfy the formula, and where there is none no small interval satisfies it."""
    random = Random(seed)
    tree = random_tree(random, Shape(8, ("p",), longest=2))
    formula = parse_formula(text(tree)).formula
    for sought, wanted in ((formula, True), (not_(formula), False)):
        _compare_finite(sought, tree, wanted, findings)
        _compare_infinite(sought, tree, wanted, findings)


def _compare_finite(formula: Formula, tree: Tree, wanted: bool, findings: Findings) -> None:
    answer = satisfiable_finite(formula, LIMITS)
    findings.compared[f"finite {answer.verdict}"] += 1
    oracle = Direct(0)
    if answer.verdict == "sat":
        assert isinstance(answer.model, tuple)
        agree = oracle.holds(tree, (answer.model, ())) == wanted
        findings.compare("finite decisions", agree, f"{text(tree)}: {_shown(answer.model)} is no model")
    elif answer.verdict == "unsat":
        models = [word for word in _words(1, 4) if oracle.holds(tree, (word, ())) == wanted]
        findings.compare("finite decisions", not models, f"{text(tree)} has a model {models[:1]}")


def _compare_infinite(formula: Formula, tree: Tree, wanted: bool, findings: Findings) -> None:
    answer = satisfiable_infinite(formula, LIMITS)
    findings.compared[f"infinite {answer.verdict}"] += 1
    if answer.verdict == "sat":
        assert isinstance(answer.model, Lasso)
        interval = canonical(answer.model.prefix, answer.model.loop)
        agree = any(Direct(horizon).holds(tree, interval) == wanted for horizon in HORIZONS)
        findings.compare("infinite decisions", agree, f"{text(tree)}: {answer.model} is no model")
        _compare_exact_graph(formula, tree, findings)
    elif answer.verdict == "unsat":
        intervals = [(prefix, loop) for prefix in _words(0, 2) for loop in _words(1, 2)]
        models = [one for one in intervals if _everywhere(tree, *one, wanted)]
        findings.compare("infinite decisions", not models, f"{text(tree)} has a model {models[:1]}")


def _compare_exact_graph(formula: Formula, tree: Tree, findings: Findings) -> None:
    """The graph that is exact for iterations must have a good component wherever there is a model."""
    meter = Meter(TemporalLimits(nodes=500, diagram_nodes=100_000))
    graph = iteration_graph(formula, meter)
    try:
        while expand(graph, meter, 2 * len(graph.nodes)):
            pass
    except TooLarge:
        return
    good = any(not graph.nodes[node].owes for nodes in components(graph) for node in nodes)
    findings.compare("exact graphs", good, f"{text(tree)} has an infinite model that the exact graph has not")


def _everywhere(tree: Tree, prefix: Letters, loop: Letters, wanted: bool) -> bool:
    return all(Direct(horizon).holds(tree, canonical(prefix, loop)) == wanted for horizon in HORIZONS)


def _words(shortest: int, longest: int) -> list[Letters]:
    letters = (frozenset[str](), frozenset(("p",)))
    return [word for count in range(shortest, longest + 1) for word in product(letters, repeat=count)]


def compare_ltl(seed: int, findings: Findings, intervals: int = 20) -> None:
    """LTL through its translation, on finite words and on lassos."""
    random = Random(seed)
    tree = random_ltl(random, random.randint(2, 10))
    formula = parse_ltl(ltl_text(tree)).formula
    findings.compared["LTL formulas"] += 1
    for _ in range(intervals):
        word = random_letters(random, random.randint(1, 6))
        expected = ltl_holds(tree, word)
        findings.compare("LTL words", satisfies(formula, word) == expected, f"{ltl_text(tree)} on {_shown(word)}")
        prefix, loop = random_letters(random, random.randint(0, 3)), random_letters(random, random.randint(1, 3))
        expected = ltl_holds(tree, prefix, loop)
        found = holds_on_lasso(formula, Lasso(prefix, loop))
        findings.compare("LTL lassos", found == expected, f"{ltl_text(tree)} on {_shown(prefix)}({_shown(loop)})")


def _shown(letters: Letters) -> str:
    return "".join("{" + ",".join(sorted(letter)) + "}" for letter in letters)
