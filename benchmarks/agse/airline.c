/* Sellers of airline tickets run until one of them notices that the flight is full; the flag comes too late.
   SIZE sellers are started, and all but CUSHION seats may be sold. */
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 4
#endif
#ifndef CUSHION
#define CUSHION 1
#endif
#define MOST (SIZE - CUSHION)

int sold, stop;

void *seller(void *unused) {
  sold++;
  if (sold > MOST)
    stop = 1;
  return 0;
}

int main(void) {
  pthread_t sellers[SIZE];
  for (int k = 0; k < SIZE; k++) {
    if (stop) {
      sold--;
      break;
    }
    pthread_create(&sellers[k], 0, seller, 0);
  }
  if (sold > MOST)
    assert(0);
  return 0;
}
