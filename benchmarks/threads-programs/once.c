/* Settings read once by whoever comes first. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int threads;
    int level;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct settings *settings;
static int loads;

extern int __VERIFIER_nondet_int(void);

static void load(void)
{
    settings = malloc(sizeof *settings);
    if (!settings)
        abort();
    settings->threads = 4;
    settings->level = __VERIFIER_nondet_int();
    if (settings->level < 0 || settings->level > 9)
        settings->level = 0;
    loads++;
}

static const struct settings *get(void)
{
#ifdef BROKEN
    if (!settings)
        load();
#else
    pthread_once(&once, load);
#endif
    return settings;
}

static void *worker(void *unused)
{
    const struct settings *mine = get();
    (void)unused;
    assert(mine->threads == 4);
    assert(mine->level >= 0 && mine->level <= 9);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(loads == 1);
    free(settings);
    return 0;
}
