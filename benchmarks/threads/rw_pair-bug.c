// A pair of numbers behind a read-write lock: readers never see half of a change.
// Wrong here: writers only read-lock.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
unsigned a, b;

void *reader(void *unused) {
    while (1) {
        pthread_rwlock_rdlock(&l);
        assert(a == b);
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

void *worker(void *unused) {
    while (1) {
        pthread_rwlock_rdlock(&l);
        a = a + 1;
        b = b + 1;
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, worker, 0);
        pthread_create(&t, 0, reader, 0);
    }
}
