/* Setters write two variables, one after the other; a checker that runs between the two writes sees only one. */
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif
#define OK 0
#define BAD 1

int a, b;

void *setter(void *unused) {
  a = 1;
  b = -1;
  return 0;
}

int check(void) {
  if (a == 0)
    if (b == 0)
      return OK;
  if (a == 1)
    if (b == -1)
      return OK;
  return BAD;
}

void *checker(void *unused) {
  int result = check();
  if (result == BAD)
    assert(0);
  return 0;
}

int main(void) {
  pthread_t setters[SETTERS], checkers[CHECKERS];
  for (int k = 0; k < SETTERS; k++)
    pthread_create(&setters[k], 0, setter, 0);
  for (int k = 0; k < CHECKERS; k++)
    pthread_create(&checkers[k], 0, checker, 0);
  for (int k = 0; k < SETTERS; k++)
    pthread_join(setters[k], 0);
  for (int k = 0; k < CHECKERS; k++)
    pthread_join(checkers[k], 0);
  return 0;
}
