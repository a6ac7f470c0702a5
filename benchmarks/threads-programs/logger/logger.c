#include "logger.h"

#include <stddef.h>
#include <string.h>

static void *writing(void *argument)
{
    struct logger *logger = argument;

    pthread_mutex_lock(&logger->lock);
    for (;;) {
        while (logger->count == 0 && !logger->stopping)
            pthread_cond_wait(&logger->changed, &logger->lock);
        if (logger->count == 0)
            break;
        struct record record = logger->records[logger->first];
        logger->first = (logger->first + 1) % LOG_RECORDS;
        logger->count--;
        pthread_mutex_unlock(&logger->lock);
        logger->write(logger->context, &record);
        pthread_mutex_lock(&logger->lock);
    }
    pthread_mutex_unlock(&logger->lock);
    return NULL;
}

void logger_start(struct logger *logger, enum level threshold, sink write, void *context)
{
    memset(logger, 0, sizeof *logger);
    pthread_mutex_init(&logger->lock, NULL);
    pthread_cond_init(&logger->changed, NULL);
    logger->threshold = threshold;
    logger->write = write;
    logger->context = context;
    pthread_create(&logger->writer, NULL, writing, logger);
}

static void fill(struct record *record, enum level level, int thread, const char *text)
{
    record->level = level;
    record->thread = thread;
#ifdef BROKEN_TEXT
    strcpy(record->text, text);
#else
    strncpy(record->text, text, LOG_TEXT - 1);
    record->text[LOG_TEXT - 1] = '\0';
#endif
}

void logger_log(struct logger *logger, enum level level, int thread, const char *text)
{
#ifdef BROKEN_THRESHOLD
    if (level < logger->threshold)
        return;
    pthread_mutex_lock(&logger->lock);
#else
    pthread_mutex_lock(&logger->lock);
    if (level < logger->threshold) {
        pthread_mutex_unlock(&logger->lock);
        return;
    }
#endif
    if (logger->count == LOG_RECORDS) {
        logger->dropped++;
#ifdef BROKEN_RETURN
        return;
#endif
    } else {
        int last = (logger->first + logger->count) % LOG_RECORDS;
        fill(&logger->records[last], level, thread, text);
        logger->count++;
        pthread_cond_signal(&logger->changed);
    }
    pthread_mutex_unlock(&logger->lock);
}

void logger_set_threshold(struct logger *logger, enum level threshold)
{
    pthread_mutex_lock(&logger->lock);
    logger->threshold = threshold;
    pthread_mutex_unlock(&logger->lock);
}

int logger_stop(struct logger *logger)
{
    pthread_mutex_lock(&logger->lock);
    logger->stopping = true;
    pthread_cond_signal(&logger->changed);
    pthread_mutex_unlock(&logger->lock);
    pthread_join(logger->writer, NULL);
    int dropped = logger->dropped;
    pthread_cond_destroy(&logger->changed);
    pthread_mutex_destroy(&logger->lock);
    return dropped;
}
