/* A request that is cancelled before it waits is completed with the cancel lock still held. */
#define BUG_CANCEL_SPIN_LOCK
#include "diskperf.c"
