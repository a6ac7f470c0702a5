/* Stages of THREADS writers: the first datum, and then the second one that follows from it, each under its own lock. A
   reader between the two stages sees the first without the second. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

pthread_mutex_t first_lock, second_lock;
int first, second;

void *writer(void *unused) {
  pthread_mutex_lock(&first_lock);
  first = 1;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&second_lock);
  second = first + 1;
  pthread_mutex_unlock(&second_lock);
  return 0;
}

void *reader(void *unused) {
  pthread_mutex_lock(&first_lock);
  int one = first;
  pthread_mutex_unlock(&first_lock);
  if (one == 0)
    return 0;
  pthread_mutex_lock(&second_lock);
  int two = second;
  pthread_mutex_unlock(&second_lock);
  assert(two == one + 1);
  return 0;
}

int main(void) {
  pthread_t writers[THREADS], reading;
  pthread_mutex_init(&first_lock, 0);
  pthread_mutex_init(&second_lock, 0);
  for (int k = 0; k < THREADS; k++)
    pthread_create(&writers[k], 0, writer, 0);
  pthread_create(&reading, 0, reader, 0);
  for (int k = 0; k < THREADS; k++)
    pthread_join(writers[k], 0);
  pthread_join(reading, 0);
  return 0;
}
