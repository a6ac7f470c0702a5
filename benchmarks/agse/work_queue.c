/* THREADS workers share as many jobs. Whether there is one left is looked up before the lock is taken, so the last job
   may be given twice over. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

pthread_mutex_t lock;
int next, done;

void *worker(void *unused) {
  while (next < THREADS) {
    pthread_mutex_lock(&lock);
    int job = next++;
    pthread_mutex_unlock(&lock);
    assert(job < THREADS);
  }
  return 0;
}

int main(void) {
  pthread_t workers[THREADS];
  pthread_mutex_init(&lock, 0);
  for (int k = 0; k < THREADS; k++)
    pthread_create(&workers[k], 0, worker, 0);
  for (int k = 0; k < THREADS; k++)
    pthread_join(workers[k], 0);
  return 0;
}
