// Transfers between two accounts, for ever, with any number of threads: no money is lost.
// Wrong here: the second account is changed without the lock, and always.
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
            }
        pthread_mutex_unlock(&m);
        b = b + amount;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
