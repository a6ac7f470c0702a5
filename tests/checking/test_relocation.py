"""Places of an earlier version are found again where the text around them is the same."""

from __future__ import annotations

from pathlib import Path

from pincer.checking.relocation import outline, relocation
from pincer.engines.task import Triples
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.evidence.c_proof.merged_claim import LoopRounds, MergedProof
from pincer.evidence.c_proof.paths import Paths
from pincer.frontends.c.load import load
from pincer.logic import terms
from pincer.program.c_file import CFile
from pincer.program.control_flow import Call, ControlFlowProgram

TEXT = """\
int first(int x) { return x; }
int twice(int x) { int y = x; while (y > 3) y--; return y + y; }
int main(void) { int a = first(1); a = twice(a); return a; }
"""
BEFORE = TEXT.replace("return x;", "if (x > 7) return 1; return x + 2;")


def program(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "p.c"
    file.write_text(text, encoding="utf-8")
    return load([CFile(str(file))])


def head(of: ControlFlowProgram) -> int:
    [found] = of.procedures["twice"].loop_heads
    return found


def call(of: ControlFlowProgram) -> int:
    edges = of.procedures["main"].edges
    return next(i for i, edge in enumerate(edges) if isinstance(edge.label, Call) and edge.label.procedure == "twice")


def test_procedures_that_did_not_change_are_found_where_they_are_now(tmp_path: Path) -> None:
    old, new = program(tmp_path, TEXT), program(tmp_path, BEFORE)
    assert head(old) != head(new)
    moved = relocation(outline(old), new)
    assert moved.places[head(old)] == head(new)
    assert moved.places[old.procedures["main"].exit] == new.procedures["main"].exit


def test_a_line_more_or_another_number_leaves_the_rest_in_place(tmp_path: Path) -> None:
    old = program(tmp_path, TEXT)
    for text in (
        TEXT.replace("y > 3", "y > 4"),
        TEXT.replace("int a = first(1);", "int a = first(1); int b = a + 7; a = b;"),
    ):
        new = program(tmp_path, text)
        moved = relocation(outline(old), new)
        assert moved.places[head(old)] == head(new)
        assert moved.edges["main"][call(old)] == call(new)


def test_proofs_of_all_kinds_move(tmp_path: Path) -> None:
    old, new = program(tmp_path, TEXT), program(tmp_path, BEFORE)
    moved, here, there = relocation(outline(old), new), head(old), head(new)
    triple = ProcedureProof("1", "main", invariants={here: terms.TRUE}, calls={call(old): (CallUse("2"),)})
    found = moved.proof(Triples((triple,)))
    assert isinstance(found, Triples)
    assert found.proofs[0].invariants == {there: terms.TRUE}
    assert found.proofs[0].calls == {call(new): (CallUse("2"),)}
    assert moved.proof(MergedProof((LoopRounds("twice", here, 4),), 2)) == MergedProof(
        (LoopRounds("twice", there, 4),), 2
    )
    point = CutPoint((("main", call(old)),), here, (terms.TRUE,))
    moved_point = CutPoint((("main", call(new)),), there, (terms.TRUE,))
    assert moved.proof(CutPointProof((point,))) == CutPointProof((moved_point,))
    assert moved.proof(Paths(2, 30, {here: (8,)})) == Paths(4, 60, {there: (8,)})


def test_what_is_gone_is_left_out(tmp_path: Path) -> None:
    old = program(tmp_path, TEXT)
    new = program(tmp_path, "int main(void) { return 0; }\n")
    moved = relocation(outline(old), new)
    assert moved.proof(CutPointProof((CutPoint((), head(old), (terms.TRUE,)),))) == CutPointProof(())
    assert moved.proof(Paths(1, 1, {head(old): (8,)})) == Paths(2, 2, {})
