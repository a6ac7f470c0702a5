/* Two threads add two vectors to each other, if the inputs say so. */
#include "vector.h"

extern int __VERIFIER_nondet_int(void);

struct vector v1, v2;

static void operate(struct vector *mine, struct vector *other, int which) {
  if (which == 0)
    vector_add(mine, 7);
  else if (which == 1)
    vector_remove_all_elements(mine);
  else if (which == 2)
    vector_add_all(mine, other);
  else
    vector_size(other);
}

void *first(void *unused) {
  operate(&v1, &v2, __VERIFIER_nondet_int());
  return 0;
}

void *second(void *unused) {
  operate(&v2, &v1, __VERIFIER_nondet_int());
  return 0;
}

int main(void) {
  pthread_t s, t;
  vector_init(&v1);
  vector_init(&v2);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
