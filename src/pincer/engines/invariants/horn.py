"""Source (c): invariants of a procedure over unbounded integers, from Z3's Horn solver Spacer.

The procedure's loops become Horn clauses over integers: registers are read as signed numbers without overflow, and
what is not linear is left open. That is not the program's arithmetic, so what Spacer finds is a guess like all others.
Spacer may crash or never answer: it runs in a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.sight import Sight
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import signed, width
from pincer.logic.s_expressions import numeral, parsed
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, Assume, Call, Check, Edge, Input
from pincer.program.effects import ProcedureEffects
from pincer.runtime.commands import output_of

_CHILD = """
import sys, z3
z3.set_param('pp.min_alias_size', 1 << 30)
z3.set_param('pp.max_depth', 1 << 30)
rlimit, arguments, *places = map(int, sys.argv[1:])
fixedpoint = z3.Fixedpoint()
fixedpoint.set(engine='spacer', rlimit=rlimit)
queries = fixedpoint.parse_string(sys.stdin.read())
if fixedpoint.query(queries[0]) == z3.unsat:
    for place in places:
        relation = z3.Function(f'l{place}', *[z3.IntSort()] * arguments, z3.BoolSort())
        cover = z3.simplify(fixedpoint.get_cover_delta(-1, relation))
        for clause in cover.children() if z3.is_and(cover) else [cover]:
            print(clause.sexpr().replace(chr(10), ' '))
"""


class _NotLinear(Exception):
    """A term has no counterpart among linear integer terms."""


def horn_invariants(
    sight: Sight, bad: Mapping[int, Sequence[Term]], effects: Mapping[str, ProcedureEffects]
) -> list[Term]:
    """Formulas that Spacer used to separate the procedure's states from bad ones at some locations."""
    script = _Script(sight, effects)
    command = [sys.executable, "-c", _CHILD, str(LIMITS.horn_rlimit), *map(str, script.wanted())]
    found = output_of(command, script.text(bad), LIMITS.horn_seconds)
    return [] if found is None else list(script.read(found))


class _Script:
    """Horn clauses for one procedure, and the way back from formulas about their arguments."""

    def __init__(self, sight: Sight, effects: Mapping[str, ProcedureEffects]) -> None:
        self.sight = sight
        self.effects = effects
        self.registers = [value for value in sight.values() if value.op == "var"][: LIMITS.horn_registers]
        self.names = {register: f"r{i}" for i, register in enumerate(self.registers)}
        self.bits = {register: width(register) for register in self.registers}
        self._numbers = count()

    def text(self, bad: Mapping[int, Sequence[Term]]) -> str:
        procedure = self.sight.procedure
        places = {procedure.entry, *(edge.target for edge in procedure.edges), *(e.source for e in procedure.edges)}
        sorts = " ".join(["Int"] * len(self.registers))
        lines = [f"(declare-rel l{place} ({sorts}))" for place in sorted(places)] + ["(declare-rel bad ())"]
        clauses = [self._rule("true", f"(l{procedure.entry} {' '.join(self.names.values())})")]
        clauses += [clause for edge in procedure.edges for clause in self._edge(edge)]
        for place, formulas in bad.items():
            for formula in formulas:
                clauses.append(self._rule(f"(and {self._at(place)} {self._condition(formula)})", "bad"))
        declared = [f"(declare-var {name} Int)" for name in (*self.names.values(), *self._others())]
        return "\n".join([*lines, *declared, *clauses, "(query bad)"])

    def _others(self) -> list[str]:
        return [f"x{i}" for i in range(next(self._numbers))]

    def _at(self, place: int) -> str:
        return f"(l{place} {' '.join(self.names.values())})"

    @staticmethod
    def _rule(body: str, head: str) -> str:
        return f"(rule (=> {body} {head}))"

    def _edge(self, edge: Edge) -> Iterator[str]:
        label = edge.label
        condition = self._condition(label.condition) if isinstance(label, Assume | Check) else "true"
        after = [self._after(edge, register) for register in self.registers]
        yield self._rule(f"(and {self._at(edge.source)} {condition})", f"(l{edge.target} {' '.join(after)})")

    def _after(self, edge: Edge, register: Term) -> str:
        match edge.label:
            case Assign(target, value) if target is register:
                return self._number(value)
            case Input(target) | Allocate(target) if target is register:
                return self._open()
            case Call(callee, _, result) if register is result or register in self.effects[callee].registers:
                return self._open()
        return self.names[register]

    def _open(self) -> str:
        return f"x{next(self._numbers)}"

    def _condition(self, formula: Term) -> str:
        try:
            return self._formula(formula)
        except _NotLinear:
            return "true"

    def _number(self, term: Term) -> str:
        try:
            return self._integer(term)
        except _NotLinear:
            return self._open()

    def _formula(self, formula: Term) -> str:
        match formula.op:
            case "true" | "false":
                return formula.op
            case "and" | "or":
                return f"({formula.op} {' '.join(map(self._formula, formula.args))})"
            case "not":
                return f"(not {self._formula(formula.args[0])})"
            case "same":
                return f"(= {' '.join(map(self._integer, formula.args))})"
            case "bvsle" | "bvule":
                return f"(<= {' '.join(map(self._integer, formula.args))})"
        raise _NotLinear

    def _integer(self, term: Term) -> str:
        if term in self.names:
            return self.names[term]
        match term.op:
            case "bvconst":
                return numeral(signed(term.args[0], width(term)))
            case "bvlin":
                coefficients, constant = term.args
                bits = width(term)
                parts = [f"(* {numeral(signed(c, bits))} {self._integer(factor)})" for factor, c in coefficients]
                return f"(+ {numeral(signed(constant, bits))} {' '.join(parts)})"
            case "ite":
                condition, then, otherwise = term.args
                return f"(ite {self._formula(condition)} {self._integer(then)} {self._integer(otherwise)})"
            case "sign_extend" | "zero_extend":
                return self._integer(term.args[1])
        raise _NotLinear

    def wanted(self) -> list[int]:
        """How many arguments relations have, and the locations whose invariants are asked for."""
        return [len(self.registers), *sorted({edge.target for edge in self.sight.procedure.edges})]

    def read(self, answer: str) -> Iterator[Term]:
        """The clauses of an answer that can be said about registers of one width."""
        for line in answer.splitlines():
            for clause in parsed(line):
                try:
                    yield self._clause(clause)
                except (ValueError, TypeError, AssertionError):
                    continue

    def _clause(self, node: object) -> Term:
        assert isinstance(node, list)
        match node[0]:
            case "or":
                return terms.disjunction(*map(self._clause, node[1:]))
            case "and":
                return terms.conjunction(*map(self._clause, node[1:]))
            case "not":
                return terms.negate(self._clause(node[1]))
        left, right = (self._linear(part) for part in node[1:3])
        for register, factor in right.items():
            left[register] = left.get(register, 0) - factor
        constant = left.pop(None, 0)
        parts = [(register, factor) for register, factor in left.items() if register is not None and factor]
        widths = {width(register) for register, _ in parts}
        if len(widths) != 1:
            raise ValueError("registers of different widths")
        return _formula_of(str(node[0]), parts, constant, widths.pop())

    def _linear(self, node: object) -> dict[Term | None, int]:
        """Coefficients by register, the constant under None."""
        if isinstance(node, str):
            return {None: int(node)}
        assert isinstance(node, list)
        if node[0] == ":var":
            return {self.registers[int(str(node[1]))]: 1}
        parts = [self._linear(part) for part in node[1:]]
        if node[0] == "*" and set(parts[0]) <= {None}:
            return {register: factor * parts[0].get(None, 0) for register, factor in parts[1].items()}
        if node[0] not in ("+", "-"):
            raise ValueError("not linear")
        total: dict[Term | None, int] = {}
        for i, part in enumerate(parts):
            sign = -1 if node[0] == "-" and (i > 0 or len(parts) == 1) else 1
            for register, factor in part.items():
                total[register] = total.get(register, 0) + sign * factor
        return total


def _formula_of(relation: str, parts: Sequence[tuple[Term, int]], constant: int, bits: int) -> Term:
    """`sum + constant REL 0` with the negative part moved to the other side, to keep overflow unlikely."""
    sides = [bitvectors.constant(0, bits), bitvectors.constant(0, bits)]
    for register, factor in (*parts, (None, constant)):
        side = 0 if factor > 0 else 1
        term = bitvectors.constant(abs(factor), bits)
        if register is not None:
            term = bitvectors.binary("bvmul", term, register)
        sides[side] = bitvectors.binary("bvadd", sides[side], term)
    match relation:
        case "=":
            return terms.equal(*sides)
        case "<=":
            return bitvectors.compare("bvsle", sides[0], sides[1])
        case ">=":
            return bitvectors.compare("bvsle", sides[1], sides[0])
        case "<":
            return bitvectors.compare("bvslt", sides[0], sides[1])
        case ">":
            return bitvectors.compare("bvslt", sides[1], sides[0])
    raise ValueError(relation)
