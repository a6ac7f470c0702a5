/* Chefs share knives and pans, one of each for every two chefs. Each chef needs a knife, then a pan; the chefs with
   odd numbers take the pan first. FIXED: all take the knife first. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FIXED
#define FIXED 0
#endif
#define SETS ((THREADS + 1) / 2)

pthread_mutex_t knives[SETS], pans[SETS];
int dishes[THREADS];

static void cook(int me) {
  dishes[me]++;
}

void *chef(void *number) {
  int me = (int)(long)number;
  pthread_mutex_t *knife = &knives[me / 2], *pan = &pans[me / 2];
  if (!FIXED && me % 2) {
    pthread_mutex_lock(pan);
    pthread_mutex_lock(knife);
    cook(me);
    pthread_mutex_unlock(knife);
    pthread_mutex_unlock(pan);
  } else {
    pthread_mutex_lock(knife);
    pthread_mutex_lock(pan);
    cook(me);
    pthread_mutex_unlock(pan);
    pthread_mutex_unlock(knife);
  }
  return 0;
}

int main(void) {
  pthread_t all[THREADS];
  for (int i = 0; i < SETS; i++) {
    pthread_mutex_init(&knives[i], 0);
    pthread_mutex_init(&pans[i], 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_create(&all[i], 0, chef, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(all[i], 0);
  return 0;
}
