"""What variables of proofs mean is told from what proofs do with them."""

from __future__ import annotations

from pincer.report.outline_ghosts import explained_ghosts
from pincer.report.outline_graphs import outline_graph
from tests.evidence.thread_proof.threaded_programs import COUNTER, SPIN_LOCK, certificate, lowered, proved

PETERSON = """
int f0, f1, turn, x;
void *first(void *a) {
  while (1) {
    f0 = 1; turn = 1;
    while (f1 == 1 && turn == 1);
    x = 0; assert(x <= 0);
    f0 = 0;
  }
  return 0;
}
void *second(void *a) {
  while (1) {
    f1 = 1; turn = 0;
    while (f0 == 1 && turn == 0);
    x = 1; assert(x >= 1);
    f1 = 0;
  }
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, first, 0); pthread_create(&t, 0, second, 0); return 0; }
"""


def explained(text: str) -> dict[str, str]:
    outline = proved(text)
    assert outline is not None
    return dict(explained_ghosts(lowered(text), certificate(text, outline)))


def test_who_has_taken_a_cell_is_told_by_the_lines_that_take_it() -> None:
    [said] = explained(SPIN_LOCK).values()
    assert said.startswith("the thread that has taken it at line ") and said.endswith("; 0 while nobody has it")


def test_where_a_thread_is_going_is_told_by_its_name() -> None:
    said = set(explained(PETERSON).values())
    assert said and all(text.startswith("a number for where ") for text in said)
    assert any(" first is going" in text or " second is going" in text for text in said)


TICKETS = """
atomic_uint next, serving; int inside;
void *worker(void *a) {
  while (1) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (serving != mine);
    inside = inside + 1; assert(inside == 1); inside = inside - 1;
    atomic_fetch_add(&serving, 1);
  }
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }
"""


def test_tickets_are_told_by_the_lines_that_draw_and_serve_them() -> None:
    said = list(explained(TICKETS).values())
    assert sum(text.startswith("the number that worker has drawn at line ") for text in said) == 2
    assert sum(text.endswith("while it has a number that it has drawn, 0 otherwise") for text in said) == 2


def test_proofs_without_such_variables_need_no_words() -> None:
    assert not explained(COUNTER)


def test_sentences_stand_beside_the_outline() -> None:
    outline = proved(SPIN_LOCK)
    assert outline is not None
    drawn = outline_graph(lowered(SPIN_LOCK), certificate(SPIN_LOCK, outline))
    assert any("of the proof alone" in node.label and "has taken it" in node.label for node in drawn.nodes)
