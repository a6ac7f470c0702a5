// One routine run by two threads that leave their results at different places.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, a, b;

void *sum(void *where) {
    unsigned s = 1;
    for (unsigned k = 0; k < n; k++)
        s += k;
    *(unsigned *)where = s;
    return 0;
}

int main(void) {
    pthread_t p, q;
    n = __VERIFIER_nondet_uint();
    pthread_create(&p, 0, sum, &a);
    pthread_create(&q, 0, sum, &b);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a == b);
}
