// A semaphore with one permit as a lock, any number of threads.
// Wrong here: two may enter.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int inside;

void *worker(void *unused) {
    while (1) {
        sem_wait(&s);
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        sem_post(&s);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 2);
    while (1)
        pthread_create(&t, 0, worker, 0);
}
