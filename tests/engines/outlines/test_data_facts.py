"""Constants of cells, and sizes of objects, as programs name them."""

from __future__ import annotations

from pincer.engines.outlines.data_facts import constants_of_cells, sizes_handed_on
from pincer.program.registers import global_register
from tests.engines.outlines.outlined_programs import form_of

TEXT = """
int x = 3; struct pair { int a, b; } given;
void *worker(void *p) { struct pair *mine = p; x = 7; mine->a = x; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, &given); }
"""


def test_cells_have_the_values_that_they_begin_with_and_are_given() -> None:
    found = constants_of_cells(form_of(TEXT))
    assert set(found[global_register("x", 32)]) == {3, 7}


def test_objects_that_are_handed_on_have_their_sizes() -> None:
    sizes = [part.args[0] for term in sizes_handed_on(form_of(TEXT)) for part in term.args if part.op == "bvconst"]
    assert 8 in sizes
