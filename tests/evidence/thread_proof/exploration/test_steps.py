"""Steps of the program: what they do, and what others could notice."""

from __future__ import annotations

from .explored_programs import explored, two


def test_calls_return_to_their_callers() -> None:
    text = "int f(int n) { return n ? n + f(n - 1) : 0; } int main(void) { assert(f(4) == 10); return 0; }"
    assert explored(text) == ""
    assert "failure" in explored(text.replace("== 10", "== 9"))


def test_activations_have_registers_of_their_own() -> None:
    text = "int f(int n) { int k = n; if (n) f(n - 1); return k; } int main(void) { assert(f(3) == 3); return 0; }"
    assert explored(text) == ""


def test_memory_is_copied_and_filled() -> None:
    text = """
int main(void) {
  char *p = malloc(8), *q = malloc(8); if (!p || !q) return 0;
  memset(p, 3, 8); p[2] = __VERIFIER_nondet_uchar(); memcpy(q, p, 8);
  assert(q[0] == 3 && q[2] == p[2] && q[7] == 3);
}
"""
    assert explored(text) == ""
    assert "failure" in explored(text.replace("q[2] == p[2]", "q[2] == 3"))


def test_an_index_that_depends_on_inputs_is_followed() -> None:
    text = """
int k[4]; int main(void) { int i = __VERIFIER_nondet_uchar(); if (i > 3) return 0; k[i] = 1;
  assert(k[0] + k[1] + k[2] + k[3] == 1); return 0; }
"""
    assert explored(text) == "" and explored(text, "memory") == ""
    assert "failure" in explored(text.replace("== 1)", "== 1 && k[3] == 0)"))
    assert explored(text.replace("i > 3", "i > 4"), "memory").startswith("refused")


def test_objects_of_one_thread_are_no_matter_of_scheduling() -> None:
    text = two("int k[3] = {1, 2, 3}; int *p = k; for (int i = 0; i < 3; i++) x = x + p[i];", "y = 1;")
    assert explored(text, "race") == ""


def test_local_objects_of_both_threads_are_apart() -> None:
    shared = "int *_Atomic p; void set(int n) { int k[2] = {n, n}; int *q = k; assert(q[0] == n && q[1] == n); }"
    assert explored(two("set(1);", "set(2);", shared)) == ""


def test_a_local_object_may_be_shown_to_a_thread() -> None:
    text = """
void *one(void *a) { int *n = a; *n = *n + 1; return 0; }
int main(void) { pthread_t t; int k = 1; pthread_create(&t, 0, one, &k); pthread_join(t, 0); assert(k == 2); return 0; }
"""
    assert explored(text) == "" and explored(text, "race") == ""
    assert "same data" in explored(
        text.replace("pthread_join(t, 0); assert(k == 2);", "k = 3; pthread_join(t, 0);"), "race"
    )


def test_writes_to_constants_are_refused() -> None:
    assert explored('int main(void) { char *p = "ab"; p[0] = 1; return 0; }', "memory").startswith("refused")


def test_a_result_that_goes_to_what_is_shared_is_noticed() -> None:
    shared = "int x; int one(void) { return 1; }"
    assert "same data" in explored(two("x = one();", "x = one();", shared), "race")


LIST = """
struct node { struct node *next; } *head; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void push(void) {
  struct node *n = malloc(sizeof *n); if (!n) abort();
  pthread_mutex_lock(&m); n->next = head; head = n; pthread_mutex_unlock(&m);
}
int pop(int *found) {
  pthread_mutex_lock(&m); struct node *n = head; if (n) head = n->next; pthread_mutex_unlock(&m);
  free(n); return *found = n != 0;
}
"""


def test_what_is_behind_an_object_that_is_freed_is_nobody_elses_business() -> None:
    text = LIST + two("push(); push();", "int found; pop(&found); pop(&found);", "")
    assert explored(text) == "" and explored(text, "memory") == "" and explored(text, "race") == ""
    assert explored(text.replace("if (n) head = n->next;", ""), "memory").startswith("refused")
    stack = text.replace(
        "int found; pop(&found); pop(&found);", "struct node one; one.next = 0; head = &one; free(head);"
    )
    assert explored(stack, "memory").startswith("refused")
