// Each of two threads counts under its own lock; a third looks at both.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;
unsigned a, twice_a, b, twice_b;

void *first(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        a = a + 1;
        twice_a = twice_a + 2;
        assert(twice_a == a + a);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        pthread_mutex_lock(&o);
        b = b + 1;
        twice_b = twice_b + 2;
        assert(twice_b == b + b);
        pthread_mutex_unlock(&o);
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
