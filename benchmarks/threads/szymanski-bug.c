// Szymanski's algorithm for two threads, for ever: a waiting room with a door.
// Wrong here: the second thread does not wait for those before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1;
int x;

void *first(void *unused) {
    while (1) {
        flag0 = 1;
        while (flag1 >= 3)
            ;
        flag0 = 3;
        if (flag1 == 1) {
            flag0 = 2;
            while (flag1 != 4)
                ;
        }
        flag0 = 4;
        x = 0;
        assert(x <= 0);
        while (2 <= flag1 && flag1 <= 3)
            ;
        flag0 = 0;
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        flag1 = 1;
        while (flag0 >= 3)
            ;
        flag1 = 3;
        if (flag0 == 1) {
            flag1 = 2;
            while (flag0 != 4)
                ;
        }
        flag1 = 4;
        
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
