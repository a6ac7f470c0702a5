#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int l; int in, c;
void *worker(void *a) {
  while (1) { while (atomic_exchange(&l, 1)); in = in + 1; assert(in == 1); c = c + 1; in = in - 1; atomic_store(&l, 0); }
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, worker, 0);
}
