"""What a proof says about procedures, and what of it can be said in the user's own C."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pincer.errors import PincerError, Position
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic import bitvectors
from pincer.logic.c_text import NotInC, c_text
from pincer.logic.terms import FALSE, Term, conjunction, conjuncts, disjunction, equal, substitute
from pincer.program.control_flow import Assume, Call, ControlFlowProgram, Procedure
from pincer.program.source_names import SourceNames

if TYPE_CHECKING:
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import SourceInvariant
    from pincer.evidence.c_proof.certificate import ProofCertificate
    from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof


def joint_invariants(proofs: Iterable[ProcedureProof]) -> dict[str, dict[int, Term]]:
    """By procedure and location, what holds in all runs without errors, whichever triple covers them.

    A procedure may have several triples, each for the calls that enter it in some states. By itself the invariant of
    one of them is not an invariant of the procedure; their disjunction is.
    """
    triples: dict[str, list[ProcedureProof]] = {}
    for proof in proofs:
        if not proof.errors:
            triples.setdefault(proof.procedure, []).append(proof)
    return {
        procedure: {
            location: disjunction(*(part.invariants[location] for part in parts))
            for location in parts[0].invariants
            if all(location in part.invariants for part in parts)
        }
        for procedure, parts in triples.items()
    }


def cut_point_invariants(program: ControlFlowProgram, proof: CutPointProof) -> dict[str, dict[int, Term]]:
    """The same of a proof by cut points: one of a procedure's points holds, whichever calls are open."""
    found: dict[str, dict[int, Term]] = {}
    for point in proof.points:
        places = found.setdefault(_procedure_at(program, point), {})
        places[point.location] = disjunction(places.get(point.location, FALSE), conjunction(*point.facts))
    return found


def _procedure_at(program: ControlFlowProgram, point: CutPoint) -> str:
    """The procedure that a point is in."""
    if not point.calls:
        return program.entry
    caller, index = point.calls[-1]
    label = program.procedures[caller].edges[index].label
    assert isinstance(label, Call)
    return label.procedure


def source_invariants(program: ControlFlowProgram, proof: ProofCertificate, text: str) -> Iterator[SourceInvariant]:
    """What a proof says about each loop, one entry for every part that the source's names can express."""
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import SourceInvariant

    locator = Locator(text, program.file)
    known = joint_invariants(proof.proofs) if proof.cuts is None else cut_point_invariants(program, proof.cuts)
    for name, invariants in known.items():
        procedure = program.procedures[name]
        names = SourceNames(program, name)
        for head in sorted(procedure.loop_heads & invariants.keys()):
            position = _keyword(procedure, head, locator)
            if position is None:
                continue
            for part in conjuncts(invariants[head]):
                try:
                    said = c_text(part, names.text, names.signed, names.number)
                    yield SourceInvariant(position, said, "loop_invariant")
                except NotInC:
                    continue


def transition_invariants(program: ControlFlowProgram, proof: CutPointProof, text: str) -> Iterator[SourceInvariant]:
    """For each loop, that its rank is smaller than at any earlier visit: as the first word that differs, compared
    without a sign. Raises PincerError where one cannot be said in C."""
    from pincer.evidence.c.locations import Locator
    from pincer.evidence.c.witness import SourceInvariant

    locator = Locator(text, program.file)
    for (name, head), point in _ranked_loops(program, proof).items():
        procedure = program.procedures[name]
        position = _keyword(procedure, head, locator) if head in procedure.loop_heads else None
        index = None if position is None else locator.token_at(position)
        if position is None or index is None or locator.source.text(index) == "do":
            raise PincerError("no witness is written: not every rank belongs to the head of a loop of the file")
        try:
            yield SourceInvariant(position, _smaller(point, SourceNames(program, name)), "loop_transition_invariant")
        except NotInC as problem:
            raise PincerError(f"no witness is written: a rank cannot be said in C ({problem})") from None


def _ranked_loops(program: ControlFlowProgram, proof: CutPointProof) -> dict[tuple[str, int], CutPoint]:
    """The point at each loop; its rank and words must be the same ones whichever calls are open."""
    found: dict[tuple[str, int], CutPoint] = {}
    for point in proof.points:
        known = found.setdefault((_procedure_at(program, point), point.location), point)
        if (known.ranks, known.words) != (point.ranks, point.words):
            raise PincerError("no witness is written: a loop has several ranks, depending on who calls its function")
    return found


def _smaller(point: CutPoint, names: SourceNames) -> str:
    """That the rank has become smaller, or one of the words with the same rank, in C with `\\at(x, AnyPrev)` for
    earlier values."""
    ranks, words = ([w for w in known if bitvectors.constant_value(w) is None] for known in (point.ranks, point.words))
    said = (*ranks, *words)
    registers = list(dict.fromkeys(register for word in said for register in sorted(word.variables, key=str)))
    before = {r: bitvectors.variable(f"before {i}", bitvectors.width(r)) for i, r in enumerate(registers)}
    after = {other: register for register, other in before.items()}

    def text(term: Term) -> str | None:
        known = names.text(after.get(term, term))
        return f"\\at({known}, AnyPrev)" if known is not None and term in after else known

    ways, same = list[Term](), list[Term]()
    for word in said:
        if bitvectors.state_reads(word):
            raise NotInC("it reads memory")
        now, falls = _ordered(word)
        earlier = substitute(now, before)
        smaller = (now, earlier) if falls else (earlier, now)
        signed = now is not word
        ways.append(conjunction(*same, bitvectors.compare("bvslt" if signed else "bvult", *smaller)))
        if len(ways) <= len(ranks):
            same.append(equal(now, earlier))
    return c_text(disjunction(*ways), text, lambda term: names.signed(after.get(term, term)))


def _ordered(word: Term) -> tuple[Term, bool]:
    """A word with its sign bit flipped is compared as the signed number that it is; with all other bits flipped, the
    other way round."""
    if word.op == "bvxor" and (mask := bitvectors.constant_value(word.args[0])) is not None:
        sign = 1 << (bitvectors.width(word) - 1)
        if mask in (sign, sign - 1):
            return word.args[1], mask == sign
    return word, True


def _keyword(procedure: Procedure, head: int, locator: Locator) -> Position | None:
    """The keyword of the loop whose decision comes first from its head on; None when that is not a loop's."""
    location = head
    for _ in procedure.edges:
        leaving = procedure.outgoing.get(location, ())
        decisions = [edge for edge in leaving if isinstance(edge.label, Assume) and edge.label.branch is not None]
        if decisions:
            index = locator.token_at(decisions[0].position)
            is_loop = index is not None and locator.source.text(index) in ("while", "for", "do")
            return decisions[0].position if is_loop else None
        if len(leaving) != 1 or leaving[0].target in procedure.loop_heads:
            return None
        location = leaving[0].target
    return None
