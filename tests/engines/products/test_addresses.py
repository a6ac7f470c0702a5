from __future__ import annotations

from pincer.engines.products.addresses import known_addresses
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import lowered

TEXT = """
int a, b;
void put(int *where, int what) { *where = what; }
void *f(void *out) { int *p = out; put(p, 3); OTHER return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, &a); pthread_join(t, 0); return b; }
"""


def found(text: str) -> Outline:
    program = lowered(text)
    guessing = known_addresses(program, unfolded(program, False), Run())
    while True:
        try:
            next(guessing)
        except StopIteration as ended:
            outline: Outline = ended.value
            return outline


def test_addresses_are_followed_through_arguments_and_calls() -> None:
    outline = found(TEXT.replace("OTHER", ""))
    said = {str(term) for known in outline.assertions[1].values() for term in known}
    assert any("put::where" in text for text in said) and any("f::p" in text for text in said)


def test_whom_main_joins_is_known() -> None:
    outline = found(TEXT.replace("OTHER", ""))
    assert any("#1" in str(term) for known in outline.assertions[0].values() for term in known)


def test_a_pointer_that_is_moved_is_not_known_any_more() -> None:
    text = TEXT.replace("OTHER", "while (b) p = p + 1; *p = 1;")
    outline, system = found(text), unfolded(lowered(text), False)
    last = next(move.source for move in system.threads[1].moves if "f::p, value=1" in repr(move.label))
    assert not any("f::p" in str(term) for term in outline.at(1, last))
