"""Rebuilding bit-vector and Boolean terms with their state reads replaced."""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term

Leaf = Callable[[Term], Term]
"""What stands for a register, a `load` or a `room` term. It visits the addresses of the latter two itself."""


def rewrite(term: Term, leaf: Leaf, memo: dict[Term, Term]) -> Term:
    """The term with every outermost leaf replaced, normalised again. `memo` holds what is done for one `leaf`."""
    done = memo.get(term)
    if done is not None:
        return done
    if term.op in ("var", "load", "room"):
        done = leaf(term)
    elif term.op in _CONNECTIVES:
        done = _CONNECTIVES[term.op](*(rewrite(arg, leaf, memo) for arg in term.args))
    else:
        done = bitvectors.rebuild(term, lambda child: rewrite(child, leaf, memo))
    memo[term] = done
    return done


_CONNECTIVES: dict[str, Callable[..., Term]] = {
    "and": terms.conjunction,
    "or": terms.disjunction,
    "not": terms.negate,
    "iff": terms.iff,
    "ite": terms.conditional,
    "same": terms.equal,
}
