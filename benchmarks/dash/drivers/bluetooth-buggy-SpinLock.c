/* A read that is cancelled before it is queued is completed with the lock of the queue still held. */
#define BUG_SPIN_LOCK
#include "bluetooth.c"
