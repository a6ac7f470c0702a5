"""Machine-level expressions as generated Python functions: the inner loop of every concrete execution.

A subterm that is used twice is computed once and kept in a local variable, and so is one that would nest too deeply
for Python's parser. All parts of a term are evaluated, those under a condition that does not hold too: the functions
that read the state must accept any address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pincer.logic.bitvectors import signed, width
from pincer.logic.limits import LIMITS
from pincer.logic.machine_arithmetic import divide_signed, floating_value, operation_value, remainder_signed
from pincer.logic.terms import BOOL, Term, children, postorder

Expression: TypeAlias = Callable[[Mapping[Term, int], Callable[[int, int], int], Callable[[int], int]], int]
"""The value for registers, `load(address, size)` and `room(address)`; 0 or 1 for a condition."""

_OPPOSITE = {" == ": " != ", " <= ": " > "}

_functions: dict[Term, Expression] = {}


def compile_expression(term: Term) -> Expression:
    """A function that evaluates the term on a state; kept for the next time, and compiled once it was used often."""
    function = _functions.get(term)
    if function is None:
        function = _functions[term] = _first_function(term)
    return function


def _first_function(term: Term) -> Expression:
    if term.op == "var":
        return lambda registers, load, room: registers[term]
    if term.op == "bvconst":
        value: int = term.args[0]
        return lambda registers, load, room: value
    parts = tuple(postorder(term))
    calls = 0

    def walk(registers: Mapping[Term, int], load: Callable[[int, int], int], room: Callable[[int], int]) -> int:
        nonlocal calls
        calls += 1
        if calls > LIMITS.evaluations_before_compiling:
            if calls == LIMITS.evaluations_before_compiling + 1:
                _functions[term] = _compile(term)
            return _functions[term](registers, load, room)
        memo: dict[Term, int] = {}
        for part in parts:
            match part.op:
                case "var":
                    memo[part] = registers[part]
                case "load":
                    memo[part] = load(memo[part.args[0]], part.args[1])
                case "room":
                    memo[part] = room(memo[part.args[0]])
                case _:
                    memo[part] = operation_value(part, memo)
        return memo[term]

    return walk


def _compile(term: Term) -> Expression:
    writer = ExpressionWriter(term)
    scope = writer.scope
    exec(compile(writer.source(), "<generated expression>", "exec"), scope)
    function: Expression = scope["expression"]
    return function


class ExpressionWriter:
    """Builds the source of one function, subterm by subterm.

    `register` says how registers are read; without it the function finds them by their terms in `scope`."""

    def __init__(self, term: Term, register: Callable[[Term], str] | None = None) -> None:
        self.term = term
        self._register = register or self._named_register
        self.parts = list(postorder(term))
        self.uses = Counter(child for part in self.parts for child in children(part))
        self.lines: list[str] = []
        self.code: dict[Term, str] = {}
        self.depth: dict[Term, int] = {}
        self.relations: dict[Term, tuple[str, str, str]] = {}
        self.scope: dict[str, Any] = {
            "divide": divide_signed, "remainder": remainder_signed, "floating": floating_value,
        }  # fmt: skip

    def source(self) -> str:
        result = self.result()
        if self.term.sort is BOOL:
            result = f"1 if {result} else 0"
        return "\n".join(["def expression(r, load, room):", *self.lines, f"    return {result}", ""])

    def result(self) -> str:
        """The code of the whole term, to be put behind the `lines` that it needs."""
        for part in self.parts:
            self._write(part)
        return self.code[self.term]

    def _named_register(self, term: Term) -> str:
        name = f"R{len(self.scope)}"
        self.scope[name] = term
        return f"r[{name}]"

    def _write(self, term: Term) -> None:
        if term.op == "bvconst":
            self.code[term], self.depth[term] = str(term.args[0]), 0
            return
        code = self._expression(term)
        depth = 1 + max((self.depth[child] for child in children(term)), default=0)
        if term.op == "zero_extend":
            depth -= 1
        elif self.uses[term] > 1 or depth > LIMITS.compiled_depth or len(code) > LIMITS.compiled_length:
            code, depth = self._local(code), 0
        self.code[term], self.depth[term] = code, depth

    def _local(self, code: str) -> str:
        name = f"t{len(self.lines)}"
        self.lines.append(f"    {name} = {code}")
        return name

    def _atomic(self, term: Term) -> str:
        """The code of an operand that is written twice."""
        code = self.code[term]
        if not code.isalnum():
            code = self.code[term] = self._local(code)
            self.depth[term] = 0
        return code

    def _expression(self, term: Term) -> str:
        code = self.code
        match term.op:
            case "var":
                return self._register(term)
            case "true" | "false":
                return term.op.capitalize()
            case "and" | "or":
                return "(" + f" {term.op} ".join(code[arg] for arg in term.args) + ")"
            case "not":
                return self._negation(term.args[0])
            case "ite":
                condition, then, otherwise = (code[arg] for arg in term.args)
                return f"({then} if {condition} else {otherwise})"
            case "load":
                return f"load({code[term.args[0]]}, {term.args[1]})"
            case "room":
                return f"room({code[term.args[0]]})"
            case "bvlin":
                return self._sum(term)
            case "iff" | "same" | "bvule" | "bvsle":
                self.relations[term] = relation = self._relation(term)
                return "({}{}{})".format(*relation)
        return self._floating(term) if term.op.startswith("fp") else self._word(term)

    def _floating(self, term: Term) -> str:
        operands = [arg for arg in term.args if isinstance(arg, Term)]
        index = None if isinstance(term.args[0], Term) else term.args[0]
        codes = ", ".join(self.code[operand] for operand in operands)
        return f"floating({term.op!r}, {index!r}, [{codes}], {width(operands[0])})"

    def _negation(self, term: Term) -> str:
        relation = self.relations.get(term)
        if relation is None:
            return f"(not {self.code[term]})"
        left, sign, right = relation
        return f"({left}{_OPPOSITE[sign]}{right})"

    def _relation(self, term: Term) -> tuple[str, str, str]:
        left, right = term.args
        if term.op == "bvsle":
            return self._flipped(left), " <= ", self._flipped(right)
        return self.code[left], " <= " if term.op == "bvule" else " == ", self.code[right]

    def _flipped(self, term: Term) -> str:
        """Signed order is unsigned order with the sign bits flipped."""
        sign = 1 << (width(term) - 1)
        if term.op == "bvconst":
            return str(term.args[0] ^ sign)
        return f"({self.code[term]} ^ {sign})"

    def _sum(self, term: Term) -> str:
        coefficients, constant = term.args
        bits = width(term)
        out = ""
        for factor, c in coefficients:
            weight = signed(c, bits) if bits > 1 else c
            size = self.code[factor] if abs(weight) == 1 else f"{abs(weight)}*{self.code[factor]}"
            out += f" {'-' if weight < 0 else '+'} {size}" if out else f"{'-' if weight < 0 else ''}{size}"
        if constant:
            out += f" {signed(constant, bits):+d}"
        return f"({out} & {(1 << bits) - 1})"

    def _word(self, term: Term) -> str:
        bits = width(term)
        mask = (1 << bits) - 1
        match term.op:
            case "concat":
                high, low = term.args
                return f"({self.code[high]} << {width(low)} | {self.code[low]})"
            case "extract":
                high, low, whole = term.args
                shifted = f"{self.code[whole]} >> {low}" if low else self.code[whole]
                return f"({shifted})" if high == width(whole) - 1 else f"({shifted} & {mask})"
            case "zero_extend":
                return self.code[term.args[1]]
            case "sign_extend":
                return f"({self._signed(term.args[1])} & {mask})"
        return self._operation(term, bits)

    def _signed(self, term: Term) -> str:
        sign = 1 << (width(term) - 1)
        return f"(({self.code[term]} ^ {sign}) - {sign})"

    def _operation(self, term: Term, bits: int) -> str:
        op, (left, right), mask = term.op, term.args, (1 << bits) - 1
        if op in ("bvudiv", "bvurem", "bvshl"):
            b = self._atomic(right)
            a = self._atomic(left)
        else:
            a, b = self.code[left], self.code[right]
        match op:
            case "bvand":
                return f"({a} & {b})"
            case "bvor":
                return f"({a} | {b})"
            case "bvxor":
                return f"({a} ^ {b})"
            case "bvmul":
                return f"({a} * {b} & {mask})"
            case "bvshl":
                return f"({a} << {b} & {mask} if {b} < {bits} else 0)"
            case "bvlshr":
                return f"({a} >> {b})"
            case "bvashr":
                return f"({self._signed(left)} >> {b} & {mask})"
            case "bvudiv":
                return f"({a} // {b} if {b} else {mask})"
            case "bvurem":
                return f"({a} % {b} if {b} else {a})"
            case "bvsdiv":
                return f"(divide({a}, {b}, {bits}) & {mask})"
            case "bvsrem":
                return f"(remainder({a}, {b}, {bits}) & {mask})"
        raise ValueError(f"no Python source for {op}")
