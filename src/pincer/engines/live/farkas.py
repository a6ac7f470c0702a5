"""A linear rank for each node of a component, worked out from its steps (Podelski and Rybalchenko; Alias and others).

A linear inequality follows from others exactly if it is a combination of them with factors that are not negative
(Farkas). So "no step increases the rank, and some step decreases it and starts from a rank that is not negative" is a
linear question about the coefficients of the ranks and these factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import lcm
from typing import Any

from pincer.engines.live.abstract import AbstractGraph
from pincer.engines.live.components import Stuck
from pincer.engines.live.limits import LIMITS
from pincer.logic import terms
from pincer.logic.terms import Term


def affine_ranks(graph: AbstractGraph, component: Stuck) -> dict[int, Term] | None:
    """Ranks that no edge increases and some edge decreases; None when there are none, or the search takes too much."""
    import z3

    search = _Search(graph, component, z3)
    solver = z3.SolverFor("QF_LRA")
    solver.set("rlimit", LIMITS.farkas_effort)
    for constraint in search.constraints():
        solver.add(constraint)
    if solver.check() != z3.sat:
        return None
    return search.ranks(solver.model())


class _Search:
    def __init__(self, graph: AbstractGraph, component: Stuck, z3: Any) -> None:
        self.z3 = z3
        self.graph = graph
        self.component = component
        self.data = graph.abstraction.system.data_variables
        self.coefficients = {
            node: {variable: z3.Real(f"c{node}_{place}") for place, variable in enumerate(self.data)}
            for node in component.nodes
        }
        self.constants = {node: z3.Real(f"d{node}") for node in component.nodes}
        self._fresh = 0

    def constraints(self) -> Iterable[Any]:
        z3 = self.z3
        chosen = []
        for number, edge in enumerate(self.component.edges):
            strict = z3.Bool(f"s{number}")
            chosen.append(strict)
            for relation in self.graph.relations[edge]:
                rows = list(_rows(relation.condition))
                before = self._rank(edge.source, {variable: variable for variable in self.data})
                after = self._rank(edge.target, relation.after)
                if after is None or before is None:
                    yield z3.BoolVal(False)
                    return
                falls = {key: before.get(key, 0) - after.get(key, 0) for key in {*before, *after}}
                yield self._implied(rows, falls, z3.If(strict, z3.RealVal(1), z3.RealVal(0)))
                yield z3.Implies(strict, self._implied(rows, before, z3.RealVal(0)))
        yield z3.Or(chosen)

    def _rank(self, node: int, values: Mapping[Term, Term]) -> dict[Term | None, Any] | None:
        """The rank of a node as factors of variables; the constant part belongs to None."""
        found: dict[Term | None, Any] = {None: self.constants[node]}
        for variable, coefficient in self.coefficients[node].items():
            parts, constant = terms.linear_parts(values.get(variable, variable))
            found[None] = found[None] + constant * coefficient
            for factor, c in parts:
                if factor.op != "var":
                    return None
                found[factor] = found.get(factor, 0) + c * coefficient
        return found

    def _implied(self, rows: list[tuple[Mapping[Term, int], int]], form: Mapping[Term | None, Any], least: Any) -> Any:
        """That `form >= least` follows from the rows, each of which says `sum <= bound`."""
        z3 = self.z3
        factors = []
        for _ in rows:
            self._fresh += 1
            factors.append(z3.Real(f"f{self._fresh}"))
        names = {name for row, _ in rows for name in row} | {name for name in form if name is not None}
        equations = [
            z3.Sum([factor * row.get(name, 0) for factor, (row, _) in zip(factors, rows, strict=True)])
            == -form.get(name, 0)
            for name in names
        ]
        bound = z3.Sum([factor * bound for factor, (_, bound) in zip(factors, rows, strict=True)])
        return z3.And([*(factor >= 0 for factor in factors), *equations, bound <= form.get(None, 0) - least])

    def ranks(self, model: Any) -> dict[int, Term]:
        """The ranks of the nodes with whole coefficients."""
        values = [
            value
            for node in self.component.nodes
            for value in (*self.coefficients[node].values(), self.constants[node])
        ]
        fractions = {value: model.eval(value, model_completion=True).as_fraction() for value in values}
        scale = lcm(*(fraction.denominator for fraction in fractions.values()))
        return {
            node: terms.combination(
                [(variable, int(fractions[c] * scale)) for variable, c in self.coefficients[node].items()],
                int(fractions[self.constants[node]] * scale),
            )
            for node in self.component.nodes
        }


def _rows(condition: Iterable[Term]) -> Iterable[tuple[Mapping[Term, int], int]]:
    """Conjuncts as inequalities `sum <= bound` over variables; those that are none are left out."""
    for formula in condition:
        for literal in terms.conjuncts(formula):
            positive = literal.op != "not"
            atom = literal if positive else literal.args[0]
            if atom.op not in ("le", "eq") or (atom.op == "eq" and not positive):
                continue
            form, bound = atom.args
            if any(factor.op != "var" for factor, _ in form):
                continue
            row = dict(form)
            if positive:
                yield row, bound
            if atom.op == "eq":
                yield {name: -c for name, c in row.items()}, -bound
            elif not positive:
                yield {name: -c for name, c in row.items()}, -bound - 1
