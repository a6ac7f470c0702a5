// A lock by tickets, two threads.
// Wrong here: it is enough to be later.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
int inside;

void *first(void *unused) {
    while (1) {
        unsigned mine = atomic_fetch_add(&next, 1);
        while (serving > mine)
            ;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        atomic_fetch_add(&serving, 1);
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        unsigned mine = atomic_fetch_add(&next, 1);
        while (serving != mine)
            ;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        atomic_fetch_add(&serving, 1);
    }
    return 0;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
}
