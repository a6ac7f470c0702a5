#ifndef _SYS_TIME_H
#define _SYS_TIME_H
#include <pincer/types.h>
struct timezone { int tz_minuteswest; int tz_dsttime; };
int gettimeofday(struct timeval *restrict, void *restrict);
#endif
