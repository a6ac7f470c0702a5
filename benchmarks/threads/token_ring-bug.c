// Three threads pass a token on.
// Wrong here: the token is in two places for a moment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int token;
int user;

void *first(void *unused) {
    while (1) {
        while (token != 0)
            ;
        user = 0;
        assert(user == 0);
        token = 1;
    }
    return 0;
}

void *second(void *unused) {
    while (1) {
        while (token != 1)
            ;
        user = 1;
        assert(user == 1);
        token = 0;
        token = 2;
    }
    return 0;
}

void *third(void *unused) {
    while (1) {
        while (token != 2)
            ;
        user = 2;
        assert(user == 2);
        token = 0;
    }
    return 0;
}

int main(void) {
    pthread_t p, q, r;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_create(&r, 0, third, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    pthread_join(r, 0);
}
