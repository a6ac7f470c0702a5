// Peterson's algorithm for two threads, for ever: only one of them is between entry and exit.
// Wrong here: the first thread gives way before it says that it wants to go.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1, turn;
int x;

void *first(void *unused) {
    while (1) {
        turn = 1;
        flag0 = 1;
        while (flag1 == 1 && turn == 1)
            ;
        x = 0;
        assert(x <= 0);
        flag0 = 0;
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        flag1 = 1;
        turn = 0;
        while (flag0 == 1 && turn == 0)
            ;
        x = 1;
        assert(x >= 1);
        flag1 = 0;
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
