// One slot that a thread fills and another empties, with two conditions.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full, letter;

void *first(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        while (full == 1)
            pthread_cond_wait(&emptied, &m);
        letter = 3;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        while (full == 0)
            pthread_cond_wait(&filled, &m);
        assert(letter == 3);
        letter = 0;
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
