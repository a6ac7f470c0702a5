/* Philosophers at a round table: each takes the fork on the left, then the one on the right.
   FIXED: the last one takes the right one first. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FIXED
#define FIXED 0
#endif

pthread_mutex_t forks[THREADS];
int meals[THREADS];

void *philosopher(void *number) {
  int me = (int)(long)number;
  int first = me, second = (me + 1) % THREADS;
  if (FIXED && me == THREADS - 1) {
    first = 0;
    second = me;
  }
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  meals[me]++;
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  pthread_t all[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&all[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(all[i], 0);
  return 0;
}
