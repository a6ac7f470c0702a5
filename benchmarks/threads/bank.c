// Transfers between two accounts, for ever, with any number of threads: no money is lost.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned a = 100, b;

void *worker(void *unused) {
    while (1) {
        unsigned amount = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        assert(a + b == 100);
        if (amount <= a) {
            a = a - amount;
            b = b + amount;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
