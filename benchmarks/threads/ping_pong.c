// Two threads take turns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
int at;

void *first(void *unused) {
    while (1) {
        while (turn != 0)
            ;
        at = 1;
        assert(at == 1);
        turn = 1;
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        while (turn != 1)
            ;
        at = 2;
        assert(at == 2);
        turn = 0;
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
