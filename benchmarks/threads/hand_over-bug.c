// Data that an atomic flag hands over, again and again.
// Wrong here: the flag is set too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int full;
int data;

void *first(void *unused) {
    while (1) {
        while (full == 1)
            ;
        full = 1;
        data = 5;
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        while (full == 0)
            ;
        assert(data == 5);
        data = 0;
        full = 0;
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
