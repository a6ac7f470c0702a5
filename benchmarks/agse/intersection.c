/* Cars at a roundabout with as many parts as there are cars. A car enters the part in front of it and leaves it only
   when it has got into the next one. FIXED: one car at most is let in at a time. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FIXED
#define FIXED 0
#endif

pthread_mutex_t parts[THREADS];
pthread_mutex_t gate;

void *car(void *number) {
  int entry = (int)(long)number;
  int next = (entry + 1) % THREADS;
  if (FIXED)
    pthread_mutex_lock(&gate);
  pthread_mutex_lock(&parts[entry]);
  pthread_mutex_lock(&parts[next]);
  pthread_mutex_unlock(&parts[entry]);
  pthread_mutex_unlock(&parts[next]);
  if (FIXED)
    pthread_mutex_unlock(&gate);
  return 0;
}

int main(void) {
  pthread_t all[THREADS];
  pthread_mutex_init(&gate, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_mutex_init(&parts[i], 0);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&all[i], 0, car, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(all[i], 0);
  return 0;
}
