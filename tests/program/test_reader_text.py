"""Terms and steps that cannot be said in C are told close to it."""

from __future__ import annotations

import pytest

from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import Term, equal
from pincer.program.control_flow import ControlFlowProgram, Store
from pincer.program.reader_text import address_name, mentions_addresses
from pincer.program.source_names import LabelTexts, SourceNames

PROGRAM = """#include <pthread.h>
#include <stdlib.h>
struct s { unsigned low : 3, high : 5; int a[2]; } g;
static void *run(void *u) { return u; }
int main(void) {
    struct s *p = malloc(sizeof *p);
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    p->low = 2;
    p->a[1] = g.a[0];
    g.a[1] = 4;
    pthread_join(t, 0);
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ControlFlowProgram:
    path = tmp_path_factory.mktemp("reader") / "p.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return load(path)


def place(program: ControlFlowProgram, offset: int = 0) -> Term:
    [address] = [variable.address for variable in program.variables if variable.name == "g"]
    assert address is not None
    return bitvectors.constant(address.args[0] + offset, 64)


def test_steps_have_no_numbers_of_ours(program: ControlFlowProgram) -> None:
    labels = LabelTexts(program)
    texts = [labels.text(edge.label, "main") for edge in program.procedures["main"].edges]
    assert not [text for text in texts if any(ours in text for ours in ("mem", "::", "$", "0x", ":=", "concat"))]
    assert "g.a[1] = 4" in texts and "p->low = ..." in texts
    assert any(text.startswith("pthread_join(") for text in texts)


def test_addresses_have_names(program: ControlFlowProgram) -> None:
    assert address_name(program, place(program)) == "&g"
    assert address_name(program, place(program, 8)) == "&g.a[1]"
    assert address_name(program, bitvectors.constant(8, 64)) is None
    assert address_name(program, bitvectors.constant(8, 32)) is None
    assert mentions_addresses(program, equal(bitvectors.load(place(program), 8), place(program)))
    assert not mentions_addresses(program, bitvectors.constant(3, 64))


def test_places_without_a_name_are_said_by_their_address(program: ControlFlowProgram) -> None:
    names = SourceNames(program, "main")
    far = bitvectors.load(bitvectors.load(place(program, 4), 8), 4)
    assert names.wording.term(far) == "*g.a[0]"
    assert names.wording.label(Store(place(program, 4), bitvectors.constant(1, 32))) == "g.a[0] = 1"
