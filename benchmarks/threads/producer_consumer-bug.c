// A producer and a consumer with a bounded number of items between them, for ever: none is lost, no wake-up either.
// Wrong here: one item too many is let in.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t nonfull = PTHREAD_COND_INITIALIZER, nonempty = PTHREAD_COND_INITIALIZER;
unsigned n, produced, consumed;

void *producer(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        while (n == 5)
            pthread_cond_wait(&nonfull, &m);
        n++;
        produced++;
        assert(produced - consumed == n && n <= 4);
        pthread_cond_signal(&nonempty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        while (n == 0)
            pthread_cond_wait(&nonempty, &m);
        n--;
        consumed++;
        assert(produced - consumed == n && n <= 4);
        pthread_cond_signal(&nonfull);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}
