// Two threads sum up an array that is walked round and round.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned data[8], n, x, y;

void *first(void *unused) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++)
        s += data[i % 8];
    x = s;
    return 0;
}

void *second(void *unused) {
    unsigned s = 0, i = 0;
    while (i < n) {
        s = s + data[i % 8];
        i++;
    }
    y = s;
    return 0;
}

int main(void) {
    pthread_t p, q;
    n = __VERIFIER_nondet_uint();
    data[3] = __VERIFIER_nondet_uint();
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == y);
}
