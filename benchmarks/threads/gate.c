// Any number of threads wait at a gate, which is opened once, for all.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
int open;

void *worker(void *unused) {
    pthread_mutex_lock(&m);
    while (open == 0)
        pthread_cond_wait(&opened, &m);
    assert(open == 1);
    pthread_mutex_unlock(&m);
    return 0;
}

void *opener(void *unused) {
    pthread_mutex_lock(&m);
    open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, opener, 0);
    while (1)
        pthread_create(&t, 0, worker, 0);
}
