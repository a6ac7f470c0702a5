/* A request is given to the worker first and marked pending afterwards. */
#define BUG_INTERLOCKED_QUEUE
#include "floppy.c"
