// A cache of two values that belong together: any number of readers, one writer, for ever.
// Wrong here: the value is not changed with its key.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int key, value;

void *reader(void *unused) {
    while (1) {
        pthread_rwlock_rdlock(&l);
        int k = key;
        int v = value;
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

void *writer(void *unused) {
    while (1) {
        int k = __VERIFIER_nondet_int();
        pthread_rwlock_wrlock(&l);
        key = k;
                assert(key == value);
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    while (1)
        pthread_create(&t, 0, reader, 0);
}
