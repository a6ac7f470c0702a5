// Dekker's algorithm for two threads, for ever.
// Wrong here: the first thread does not look again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants0, wants1, turn;
int x;

void *first(void *unused) {
    while (1) {
        wants0 = 1;
        if (wants1 == 1) {
            if (turn != 0) {
                wants0 = 0;
                while (turn != 0)
                    ;
                wants0 = 1;
            }
        }
        x = 0;
        assert(x <= 0);
        turn = 1;
        wants0 = 0;
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        wants1 = 1;
        while (wants0 == 1) {
            if (turn != 1) {
                wants1 = 0;
                while (turn != 1)
                    ;
                wants1 = 1;
            }
        }
        x = 1;
        assert(x >= 1);
        turn = 0;
        wants1 = 0;
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
