// Any number of workers take numbers from a queue until there are no more.
// Wrong here: one number too many is taken.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned next, limit;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        unsigned i = next;
        if (i > limit) {
            pthread_mutex_unlock(&m);
            break;
        }
        next = i + 1;
        pthread_mutex_unlock(&m);
        assert(i < limit);
    }
    return 0;
}

int main(void) {
    unsigned workers = __VERIFIER_nondet_uint();
    limit = __VERIFIER_nondet_uint();
    pthread_t t;
    for (unsigned k = 0; k < workers; k++)
        pthread_create(&t, 0, worker, 0);
    return 0;
}
