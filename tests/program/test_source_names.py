"""Terms and steps are told in the names of the source; a name that means two things means none."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import Term, equal
from pincer.program.control_flow import Assign, Assume, Check, ControlFlowProgram, Fail, Input, Label, Skip, Store
from pincer.program.source_names import LabelTexts, SourceNames

PROGRAM = """int g;
int twice(int n) { return n + n; }
int main(void) {
    int x = 3;
    unsigned u = 4;
    { int y = 1; x = y; }
    { int y = 2; x = x + y; }
    int *p = &g;
    *p = twice(x);
    return g;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ControlFlowProgram:
    path = tmp_path_factory.mktemp("names") / "p.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return load(path)


def registers(program: ControlFlowProgram, name: str) -> list[Term]:
    return [v.register for v in program.variables if v.name == name and v.register is not None]


def test_variables_have_their_names_and_signs(program: ControlFlowProgram) -> None:
    names = SourceNames(program, "main")
    [x], [u] = registers(program, "x"), registers(program, "u")
    assert (names.text(x), names.signed(x)) == ("x", True)
    assert (names.text(u), names.signed(u)) == ("u", False)


def test_a_name_that_means_two_things_or_nothing_here_means_none(program: ControlFlowProgram) -> None:
    assert {SourceNames(program, "main").text(y) for y in registers(program, "y")} == {None}
    [n] = registers(program, "n")
    assert SourceNames(program, "main").text(n) is None
    assert SourceNames(program, "twice").text(n) == "n"


def test_formulas_are_told_in_c_where_that_is_possible(program: ControlFlowProgram) -> None:
    [x] = registers(program, "x")
    same = equal(x, bitvectors.constant(3, 32))
    assert SourceNames(program, "main").formula(same) == "x == 3"
    assert "x" in SourceNames(program, "twice").formula(same)


def test_labels_name_addresses_and_leave_out_the_procedure(program: ControlFlowProgram) -> None:
    labels = LabelTexts(program)
    texts = [labels.text(edge.label, "main") for edge in program.procedures["main"].edges]
    assert not any("main::" in text for text in texts), texts
    [g] = [variable.address for variable in program.variables if variable.name == "g"]
    assert g is not None and labels.text(Store(g, bitvectors.constant(3, 32)), "main") == "g = 3"


def test_labels_are_told_in_the_words_of_the_source(program: ControlFlowProgram) -> None:
    labels, [x] = LabelTexts(program), registers(program, "x")
    small = equal(x, bitvectors.constant(3, 32))
    told: dict[Label, str] = {
        Assume(small, True): "true: x == 3",
        Assign(x, bitvectors.constant(4, 32)): "x = 4",
        Input(x, "__VERIFIER_nondet_int"): "x = __VERIFIER_nondet_int",
        Check("assertion", small, "assertion x == 3 fails"): "unless assertion x == 3 fails",
        Fail("assertion 0 fails"): "assertion 0 fails",
        Skip(): "",
    }
    assert {label: labels.text(label, "main") for label in told} == told


def test_what_cannot_be_said_in_c_is_close_to_it(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("struct s { int a, b; } g; int main(void) { struct s *p = &g; long n = 3; return p->b + (int)n; }")
    program = load(path)
    names = SourceNames(program, "main")
    [p], [n] = registers(program, "p"), registers(program, "n")
    [place] = [variable.address for variable in program.variables if variable.name == "g"]
    assert place is not None
    four = bitvectors.constant(4, 64)
    behind = bitvectors.load(bitvectors.binary("bvadd", p, four), 4)
    inside = bitvectors.load(bitvectors.constant(place.args[0] + 4, 64), 4)
    assert names.formula(equal(p, place)) in ("p == &g", "&g == p")
    assert names.formula(equal(behind, inside)) in ("p->b == g.b", "g.b == p->b")
    assert "room at p" in names.formula(bitvectors.compare("bvule", four, bitvectors.room(p)))
    assert names.computes_with_pointers(bitvectors.compare("bvule", four, p))
    assert not names.computes_with_pointers(equal(p, place))
    assert not names.computes_with_pointers(bitvectors.compare("bvule", four, n))


def test_static_variables_have_a_name_in_their_function_only(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int f(void) { static int s; return ++s; }\nint main(void) { return f(); }\n", encoding="utf-8")
    program = load(path)
    [register] = registers(program, "f.s")
    assert SourceNames(program, "f").in_c(register) == "s"
    assert SourceNames(program, "main").in_c(register) is None
    assert SourceNames(program, "main").text(register) == "f.s"
