/* Messages of many threads, written by one thread of their own. */
#ifndef LOGGER_H
#define LOGGER_H

#include <pthread.h>
#include <stdbool.h>

#define LOG_TEXT 4
#define LOG_RECORDS 1

enum level { LOG_DEBUG, LOG_INFO, LOG_ERROR };

struct record {
    enum level level;
    int thread;
    char text[LOG_TEXT];
};

typedef void (*sink)(void *context, const struct record *record);

struct logger {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct record records[LOG_RECORDS];
    int first, count;
    int dropped;
    enum level threshold;
    bool stopping;
    pthread_t writer;
    sink write;
    void *context;
};

void logger_start(struct logger *logger, enum level threshold, sink write, void *context);

/* Leave a message; one that there is no room for is counted and lost. */
void logger_log(struct logger *logger, enum level level, int thread, const char *text);

void logger_set_threshold(struct logger *logger, enum level threshold);

/* Write what is left, and end. Returns how many messages were lost. */
int logger_stop(struct logger *logger);

#endif
