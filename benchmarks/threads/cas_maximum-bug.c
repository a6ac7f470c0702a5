// The largest value seen, by compare and exchange; it never falls.
// Wrong here: smaller values are taken, too.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int largest;

void *worker(void *unused) {
    while (1) {
        int value = __VERIFIER_nondet_int();
        int seen = largest;
        assert(seen >= 0);
        if (value != seen)
            __sync_val_compare_and_swap(&largest, seen, value);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
