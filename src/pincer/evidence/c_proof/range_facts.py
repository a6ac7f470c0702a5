"""What range facts mean: instances where one is assumed, an index that nothing is known of where it is denied.

In a formula a range fact is a name (`Encoder.ranges`). If it is false, some index of the range does not satisfy the
body; a constant of its own stands for that index. If it is true, the body holds at every index of the range, so at any
index that is looked at: those at which the body reads cells that the formula reads, too. Leaving instances out, or
having useless ones, makes a claim harder to prove and never makes a wrong one right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from pincer.evidence.c_proof.encoding import Encoder, RangeAtom, State
from pincer.evidence.c_proof.smt import Node, Script, signed
from pincer.evidence.c_proof.term_data import children, variables
from pincer.logic.terms import Term

Cell = tuple[Node, int]
"""An address that is read, and how many bytes; none where the room of an object is asked for."""
MOST_INSTANCES = 150
"""Instances in one question: more of them only slow solvers down."""
ROUNDS = 2
"""Instances read cells themselves, of which other ranges speak."""


def cells_read(encoder: Encoder, term: Term, state: State) -> list[Cell]:
    """The cells that a term reads in a state, outside of range facts."""
    found: dict[Cell, None] = {}
    seen: set[Term] = set()
    pending = [term]
    while pending:
        current = pending.pop()
        if current in seen or current.op == "every":
            continue
        seen.add(current)
        if current.op in ("load", "room"):
            found[encoder.encode(current.args[0], state), _size(current)] = None
        pending.extend(children(current))
    return list(found)


def range_facts(encoder: Encoder, formula: Node, cells: Iterable[Cell]) -> list[Node]:
    """What the range facts in a formula mean, as far as cells that are read are concerned."""
    names = sorted(formula.variables & encoder.ranges.keys())
    atoms = [encoder.ranges[name] for name in names]
    reads = dict.fromkeys(cells)
    facts: dict[Node, None] = {}
    for atom in atoms:
        at = encoder.script.variable(f"index of {atom.atom.text}", _bits(atom.term))
        facts[encoder.script.disjunction((atom.atom, _counterexample(encoder, atom, at)))] = None
        reads |= dict.fromkeys(_cells_at(encoder, atom, at))
    done: set[tuple[str, Node]] = set()
    for _ in range(ROUNDS):
        more: dict[Cell, None] = {}
        for atom in atoms:
            for at in _indices(encoder, atom, reads):
                if (atom.atom.text, at) in done or len(done) >= MOST_INSTANCES:
                    continue
                done.add((atom.atom.text, at))
                facts[encoder.script.implication(atom.atom, _instance(encoder, atom, at))] = None
                more |= dict.fromkeys(_cells_at(encoder, atom, at))
        reads |= more
    return list(facts)


def _size(read: Term) -> int:
    return int(read.args[1]) if read.op == "load" else 0


def _bits(term: Term) -> int:
    bits: int = term.args[0].sort.width
    return bits


def _at(atom: RangeAtom, index: Node) -> State:
    """The state of a range fact with a value for its index."""
    name = str(atom.term.args[0].args[0])
    return replace(atom.state, changed={**atom.state.changed, name: index}, memo={})


def _inside(encoder: Encoder, atom: RangeAtom, index: Node) -> tuple[Node, Node]:
    _, lower, upper, _ = atom.term.args
    low, high = encoder.encode(lower, atom.state), encoder.encode(upper, atom.state)
    return encoder.script.at_most(low, index), encoder.script.below(index, high)


def _counterexample(encoder: Encoder, atom: RangeAtom, index: Node) -> Node:
    script = encoder.script
    body = encoder.encode(atom.term.args[3], _at(atom, index))
    return script.conjunction((*_inside(encoder, atom, index), script.negation(body)))


def _instance(encoder: Encoder, atom: RangeAtom, index: Node) -> Node:
    script = encoder.script
    body = encoder.encode(atom.term.args[3], _at(atom, index))
    return script.implication(script.conjunction(_inside(encoder, atom, index)), body)


def _cells_at(encoder: Encoder, atom: RangeAtom, index: Node) -> list[Cell]:
    return cells_read(encoder, atom.term.args[3], _at(atom, index))


def _indices(encoder: Encoder, atom: RangeAtom, reads: Iterable[Cell]) -> Iterator[Node]:
    """The indices at which the body reads one of the cells, where its address is a multiple of the index and more."""
    zero = encoder.script.constant(0, _bits(atom.term))
    for address, size, factor in _strides(atom.term):
        rest = encoder.encode(address, _at(atom, zero))
        for read, width in reads:
            if width == size and read.width == rest.width == zero.width:
                yield _quotient(encoder.script, encoder.script.difference(read, rest), factor)


def _strides(term: Term) -> list[tuple[Term, int, int]]:
    """The reads of the body at a multiple of the index and more: address, number of bytes, factor."""
    index, body = term.args[0], term.args[3]
    found: dict[tuple[Term, int, int], None] = {}
    pending, seen = [body], set[Term]()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        pending.extend(children(current))
        if current.op in ("load", "room"):
            factor = _factor(current.args[0], index)
            if factor:
                found[current.args[0], _size(current), factor] = None
    return list(found)


def _factor(address: Term, index: Term) -> int:
    """The factor of the index in a sum; 0 if it is not there, or in other ways too."""
    if address is index:
        return 1
    if address.op != "bvlin":
        return 0
    factors: Sequence[tuple[Term, int]] = address.args[0]
    if any(part is not index and index in variables(part) for part, _ in factors):
        return 0
    return next((factor for part, factor in factors if part is index), 0)


def _quotient(script: Script, distance: Node, factor: int) -> Node:
    """An index of which `factor` times is some distance, if there is one."""
    width = distance.width
    if distance.value is not None and distance.value % factor == 0:
        return script.constant(distance.value // factor, width)
    base = distance.base or distance
    parts = [(node, signed(by, width)) for node, by in base.summands or ((base, 1),)]
    offset = signed(distance.offset, width)
    if distance.value is None and all(by % factor == 0 for _, by in parts) and offset % factor == 0:
        return script.sum([(node, by // factor) for node, by in parts], offset // factor, width)
    return script.binary("bvudiv", distance, script.constant(factor, width))
