// At most three threads are inside, others wait for a signal.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t left = PTHREAD_COND_INITIALIZER;
unsigned inside;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        while (inside == 3)
            pthread_cond_wait(&left, &m);
        inside = inside + 1;
        assert(inside <= 3);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        if (inside > 0)
            inside = inside - 1;
        pthread_cond_signal(&left);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
