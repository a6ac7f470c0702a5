from __future__ import annotations

import pytest

from tests.evidence.thread_proof.regions.region_programs import BOTH, checked, proved

N = BOTH.replace("pthread_t p, q;", "pthread_t p, q; n = __VERIFIER_nondet_int();")
RELATIVES = {
    "twice and twice once": """
unsigned n, a, b, c;
void *f(void *x) { for (unsigned k = 0; k < n; k++) a += 2 * k; return 0; }
void *g(void *x) { for (unsigned k = 0; k < n; k++) { b += k; c += k; } return 0; }
""" + N.replace("AFTER", "assert(a == b + c);"),
    "sums of an array": """
unsigned data[8], n, x, y;
void *f(void *p) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += data[i % 8]; x = s; return 0; }
void *g(void *p) { unsigned s = 0, i = 0; while (i < n) { s = s + data[i % 8]; i++; } y = s; return 0; }
""" + N.replace("AFTER", "assert(x == y);"),
}  # fmt: skip


@pytest.mark.parametrize("name", RELATIVES)
def test_loops_that_go_side_by_side_are_compared(name: str) -> None:
    prover, proof = proved(RELATIVES[name])
    assert proof is not None and prover.questions > 0
    assert checked(RELATIVES[name], prover, proof).accepted


def test_several_threads_of_one_kind_are_left_to_others() -> None:
    text = "void *f(void *a) { return 0; } int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }"
    assert proved(text)[1] is None
