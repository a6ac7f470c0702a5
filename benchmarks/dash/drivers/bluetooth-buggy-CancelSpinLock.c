/* The cancel routine of a read does not give the cancel lock back. */
#define BUG_CANCEL_SPIN_LOCK
#include "bluetooth.c"
