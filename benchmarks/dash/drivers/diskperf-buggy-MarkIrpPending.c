/* A request that waits for the threshold is answered with STATUS_PENDING but never marked. */
#define BUG_MARK_PENDING
#include "diskperf.c"
