/* THREADS producers put one item each into a ring; the slot is reserved in two steps, so that two may take the same. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

int ring[THREADS];
int tail;

void *producer(void *number) {
  int slot = tail;
  ring[slot % THREADS] = 1 + (int)(long)number;
  tail = slot + 1;
  return 0;
}

int main(void) {
  pthread_t producers[THREADS];
  for (int k = 0; k < THREADS; k++)
    pthread_create(&producers[k], 0, producer, (void *)(long)k);
  for (int k = 0; k < THREADS; k++)
    pthread_join(producers[k], 0);
  assert(tail == THREADS);
  return 0;
}
