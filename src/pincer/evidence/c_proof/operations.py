"""The operations of terms on nodes of a script: everything but registers and reads of memory."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import BOOL, Node, Script
from pincer.evidence.c_proof.term_data import BINARY, COMPARISON
from pincer.logic.terms import Term


def combined(script: Script, term: Term, args: Sequence[Node]) -> Node:
    """The value of a term whose parts have the values `args`."""
    node = _connective(script, term.op, args)
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
    raise PincerError(f"the operation {op} has no place in a proof about C")
