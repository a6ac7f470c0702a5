/* A request is marked pending before it turns out to be cancelled. */
#define BUG_MARK_PENDING
#include "floppy.c"
