/* A thread looks for an item from the end, while another one empties the vector. */
#include "vector.h"

extern int __VERIFIER_nondet_int(void);

struct vector v;

void *searcher(void *unused) {
  vector_last_index_of(&v, __VERIFIER_nondet_int());
  return 0;
}

void *emptier(void *unused) {
  if (__VERIFIER_nondet_int() > 18)
    vector_remove_all_elements(&v);
  return 0;
}

int main(void) {
  pthread_t s, t;
  vector_init(&v);
  vector_add(&v, 1);
  vector_add(&v, 2);
  pthread_create(&s, 0, searcher, 0);
  pthread_create(&t, 0, emptier, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
