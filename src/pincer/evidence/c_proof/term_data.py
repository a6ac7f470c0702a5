"""Terms read as data: their parts, what they depend on, and the nodes of a script that say the same.

The meaning of an operation is that of its name in SMT-LIB; a `bvlin` term is the sum of its coefficients times its
factors and its constant, modulo 2**width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof import floating
from pincer.evidence.c_proof.smt import BOOL, Node, Script
from pincer.logic.terms import Term

_ARITHMETIC = ("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem")
BINARY = frozenset((*_ARITHMETIC, "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr"))
COMPARISON = frozenset(("bvult", "bvule", "bvslt", "bvsle"))


class Reads(Struct, frozen=True):
    """What a term depends on."""

    registers: frozenset[str] = frozenset()
    memory: bool = False
    rooms: bool = False


def children(term: Term) -> Iterator[Term]:
    """The terms a term is made of."""
    for arg in term.args:
        if isinstance(arg, Term):
            yield arg
    if term.op == "bvlin":
        for factor, _ in term.args[0]:
            yield factor


class Reader:
    """`Reads` of terms, remembered."""

    def __init__(self) -> None:
        self._known: dict[Term, Reads] = {}

    def reads(self, term: Term) -> Reads:
        pending = [term]
        while pending:
            current = pending[-1]
            waiting = [child for child in children(current) if child not in self._known]
            if current in self._known or not waiting:
                pending.pop()
                self._known.setdefault(current, self._combined(current))
            else:
                pending.extend(waiting)
        return self._known[term]

    def _combined(self, term: Term) -> Reads:
        if term.op == "var":
            return Reads(frozenset((str(term.args[0]),)))
        parts = [self._known[child] for child in children(term)]
        return Reads(
            frozenset().union(*(part.registers for part in parts)),
            term.op == "load" or any(part.memory for part in parts),
            term.op == "room" or any(part.rooms for part in parts),
        )


def variables(term: Term) -> list[Term]:
    """The registers and ghosts that a term mentions; the index of a range fact is neither inside of it."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    pending = [term]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if current.op == "var":
            found[current] = None
        if current.op == "every":
            index, *parts = current.args
            found |= {variable: None for part in parts for variable in variables(part) if variable is not index}
        else:
            pending.extend(children(current))
    return list(found)


def combined(script: Script, term: Term, args: Sequence[Node]) -> Node:
    """The value of a term whose parts have the values `args`."""
    node = _connective(script, term.op, args)
    if node is not None and term.op == "ite" and script.faces:
        floating.choice(script, args[0], (args[1], args[2]), node)
    return _operation(script, term, args) if node is None else node


def extended(script: Script, bits: int, size: Node) -> Node:
    """A size at the width of addresses."""
    if size.width > bits:
        raise PincerError("a size is wider than an address")
    return script.extend("zero_extend", bits - size.width, size)


def _connective(script: Script, op: str, args: Sequence[Node]) -> Node | None:
    match op:
        case "true" | "false":
            return script.boolean(op == "true")
        case "not":
            return script.negation(args[0])
        case "and":
            return script.conjunction(args)
        case "or":
            return script.disjunction(args)
        case "iff" | "same":
            return script.equal(args[0], args[1])
        case "ite":
            return script.conditional(args[0], args[1], args[2])
    return None


def _operation(script: Script, term: Term, args: Sequence[Node]) -> Node:
    op, width = term.op, term.sort.width or BOOL
    if op == "bvconst":
        return script.constant(term.args[0], width)
    if op == "bvlin":
        return script.sum([(arg, c) for arg, (_, c) in zip(args, term.args[0], strict=True)], term.args[1], width)
    if op in BINARY:
        return script.binary(op, args[0], args[1])
    if op in COMPARISON:
        return script.compare(op, args[0], args[1])
    if op == "concat":
        return script.concat(args[0], args[1])
    if op == "extract":
        return script.extract(term.args[0], term.args[1], args[0])
    if op in ("zero_extend", "sign_extend"):
        return script.extend(op, term.args[0], args[0])
    if op.startswith("fp"):
        return floating.applied(script, term, args)
    raise PincerError(f"the operation {op} has no place in a proof about C")
