/* Limits that do not fit the ring buffer are refused with the lock of the settings still held. */
#define BUG_SPIN_LOCK
#include "serial.c"
