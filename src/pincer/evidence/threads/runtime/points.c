/* What a schedule consists of. */

enum { PINCER_READ, PINCER_WRITE, PINCER_CALL, PINCER_END };
enum { PINCER_ASSERTION, PINCER_DEADLOCK, PINCER_RACE, PINCER_MEMORY, PINCER_ENDLESS };
enum { PINCER_UNDEFINED_STATUS = 92, PINCER_ENDLESS_STATUS = 93, PINCER_MEMORY_STATUS = 94 };
enum { PINCER_RACE_STATUS = 95, PINCER_DEADLOCK_STATUS = 96 };

struct __pincer_point {
    int thread, action;
    const char *name, *object, *file;
    int line, first, last, pick;
    int known;           /* the number of the global variable it is about, or -1 */
    unsigned long offset;
};
struct __pincer_site { unsigned long address, line; const char *file; unsigned long exchanges; };
struct __pincer_lines { const char *file; int first, last; };
struct __pincer_thread {
    int created, ended;
    int given_up;            /* joined or detached: nobody may join it any more */
    unsigned long identity;
    const char *stack;       /* where its stack begins; it grows downwards */
    int waiting;             /* PINCER_NOT_WAITING, or for what kind of object */
    const void *object;      /* the object it waits for */
    int awaited;             /* the thread it joins */
    unsigned long line;      /* where it waits */
    const void *queue;       /* the condition variable or barrier it sleeps at */
    const void *mutex;       /* the mutex it has given up for that */
    int signalled, timed;
    unsigned long ticket, round;
};
struct __pincer_access { const void *address; unsigned long size, line; int thread, action, atomic; };
