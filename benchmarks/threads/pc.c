#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t nonfull = PTHREAD_COND_INITIALIZER, nonempty = PTHREAD_COND_INITIALIZER;
unsigned n, pr, co;
void *P(void *a) { while (1) { pthread_mutex_lock(&m); while (n == 4) pthread_cond_wait(&nonfull, &m); n++; pr++; assert(pr - co == n && n <= 4); pthread_cond_signal(&nonempty); pthread_mutex_unlock(&m); } return 0; }
void *C(void *a) { while (1) { pthread_mutex_lock(&m); while (n == 0) pthread_cond_wait(&nonempty, &m); n--; co++; assert(pr - co == n && n <= 4); pthread_cond_signal(&nonfull); pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t p, c; pthread_create(&p, 0, P, 0); pthread_create(&c, 0, C, 0); pthread_join(p, 0); pthread_join(c, 0); return 0; }
