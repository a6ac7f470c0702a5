/* A request with a time limit: the answer comes in time or not at all. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static bool ready;
static bool cancelled;
static int answer;

static void *serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    if (!cancelled) {
        answer = 42;
        ready = true;
        pthread_cond_signal(&answered);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int ask(int *result)
{
    struct timespec until;
    int status = 0;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&lock);
    while (!ready && status == 0)
        status = pthread_cond_timedwait(&answered, &lock, &until);
#ifdef BROKEN
    if (status == ETIMEDOUT)
        cancelled = true;
    *result = answer;
    pthread_mutex_unlock(&lock);
    return 0;
#else
    if (!ready)
        cancelled = true;
    else
        status = 0;
    *result = answer;
    pthread_mutex_unlock(&lock);
    return status;
#endif
}

int main(void)
{
    pthread_t server;
    int result, status;

    pthread_create(&server, NULL, serve, NULL);
    status = ask(&result);
    if (status == 0)
        assert(result == 42);
    else
        assert(status == ETIMEDOUT);
    pthread_join(server, NULL);
    assert(status == 0 || answer == 0);
    return 0;
}
