// Two threads add up the same numbers, as many as the input says.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, a, b;

void *first(void *unused) {
    for (unsigned k = 0; k < n; k++)
        a += k;
    return 0;
}

void *second(void *unused) {
    for (unsigned k = 0; k < n; k++)
        b += k;
    return 0;
}

int main(void) {
    pthread_t p, q;
    n = __VERIFIER_nondet_uint();
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a == b);
}
