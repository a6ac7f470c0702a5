/* Users of one printer and one scanner: copying needs both. Some users take the scanner first, others the printer,
   as the input says; a user without copies prints only. FIXED: everybody takes the scanner first. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FIXED
#define FIXED 0
#endif

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t printer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t scanner = PTHREAD_MUTEX_INITIALIZER;
int pages;

static void copy(pthread_mutex_t *first, pthread_mutex_t *second, int count) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pages += count;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

void *user(void *number) {
  int copies = __VERIFIER_nondet_int();
  if (copies <= 0 || copies > 3) {
    pthread_mutex_lock(&printer);
    pages++;
    pthread_mutex_unlock(&printer);
  } else if (FIXED || (long)number % 2) {
    copy(&scanner, &printer, copies);
  } else {
    copy(&printer, &scanner, copies);
  }
  return 0;
}

int main(void) {
  pthread_t all[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&all[i], 0, user, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(all[i], 0);
  return 0;
}
