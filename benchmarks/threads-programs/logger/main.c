/* Two threads that log more than there is room for. */
#include "logger.h"

#include <assert.h>
#include <stddef.h>

struct written {
    int lines;
    int errors;
};

static struct logger logger;

static void count(void *context, const struct record *record)
{
    struct written *written = context;

    assert(record->thread == 1 || record->thread == 2);
    written->lines++;
    if (record->level == LOG_ERROR)
        written->errors++;
}

static void *talk(void *unused)
{
    logger_log(&logger, LOG_INFO, 2, "begins to work");
    logger_log(&logger, LOG_ERROR, 2, "fails");
    return NULL;
}

int main(void)
{
    static struct written written;
    pthread_t talking;

    logger_start(&logger, LOG_DEBUG, count, &written);
    pthread_create(&talking, NULL, talk, NULL);
    logger_set_threshold(&logger, LOG_INFO);
    logger_log(&logger, LOG_DEBUG, 1, "x");
    pthread_join(talking, NULL);
    int dropped = logger_stop(&logger);
    assert(written.lines + dropped == 2);
    assert(written.errors <= 1);
    return 0;
}
