// Three threads count down; what they add has a sum.
// Wrong here: the third adds too much.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, a, b, c;

void *first(void *unused) {
    for (unsigned k = n; k > 0; k--)
        a += 3;
    return 0;
}

void *second(void *unused) {
    for (unsigned k = n; k > 0; k--)
        b += 2;
    return 0;
}

void *third(void *unused) {
    for (unsigned k = n; k > 0; k--)
        c += 2;
    return 0;
}

int main(void) {
    pthread_t p, q, r;
    n = __VERIFIER_nondet_uint();
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_create(&r, 0, third, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    pthread_join(r, 0);
    assert(a == b + c);
}
