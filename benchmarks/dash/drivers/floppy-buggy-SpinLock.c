/* A request that is cancelled before it is held is completed with the lock of the held requests still held. */
#define BUG_SPIN_LOCK
#include "floppy.c"
