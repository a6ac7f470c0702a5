/* A request that is cancelled before the worker gets it is completed with the cancel lock still held. */
#define BUG_CANCEL_SPIN_LOCK
#include "floppy.c"
