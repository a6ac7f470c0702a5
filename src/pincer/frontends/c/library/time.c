#include <sys/time.h>
#include <time.h>

long time(long *target) {
  long now = __pincer_pick_long("time of day in seconds", 0, 253402300799L, 1700000000);
  if (target != 0)
    *target = now;
  return now;
}

int __pincer_clock(long *seconds, long *fraction, long parts) {
  *seconds = __pincer_pick_long("time of day in seconds", 0, 253402300799L, 1700000000);
  *fraction = __pincer_pick_long("part of a second", 0, parts - 1, 0);
  return 0;
}

int gettimeofday(struct timeval *target, void *zone) {
  long *parts = (long *)target;
  return __pincer_clock(parts, parts + 1, 1000000);
}

int clock_gettime(int clock, struct timespec *target) {
  long *parts = (long *)target;
  if (__pincer_pick("failure of a clock", -1, 0, 0) < 0) {
    __pincer_any_errno();
    return -1;
  }
  return __pincer_clock(parts, parts + 1, 1000000000);
}

int timespec_get(struct timespec *target, int base) {
  long *parts = (long *)target;
  __pincer_clock(parts, parts + 1, 1000000000);
  return base;
}
