/* Two threads compare two vectors with each other. They deadlock only if others have put something into both. */
#include "vector.h"

extern int __VERIFIER_nondet_int(void);

struct vector v1, v2;

void *first(void *unused) {
  vector_equals(&v1, &v2);
  return 0;
}

void *second(void *unused) {
  vector_equals(&v2, &v1);
  return 0;
}

void *filler(void *vector) {
  if (__VERIFIER_nondet_int() > 18)
    vector_add(vector, 7);
  return 0;
}

int main(void) {
  pthread_t s, t, f, g;
  vector_init(&v1);
  vector_init(&v2);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_create(&f, 0, filler, &v1);
  pthread_create(&g, 0, filler, &v2);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(f, 0);
  pthread_join(g, 0);
  return 0;
}
