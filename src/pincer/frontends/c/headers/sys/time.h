#ifndef _SYS_TIME_H
#define _SYS_TIME_H
#include <pincer/types.h>
#include <sys/select.h>
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct itimerval { struct timeval it_interval; struct timeval it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timercmp(left, right, order) \
  ((left)->tv_sec == (right)->tv_sec ? (left)->tv_usec order (right)->tv_usec : (left)->tv_sec order (right)->tv_sec)
#define timeradd(left, right, result) \
  do { \
    (result)->tv_sec = (left)->tv_sec + (right)->tv_sec; \
    (result)->tv_usec = (left)->tv_usec + (right)->tv_usec; \
    if ((result)->tv_usec >= 1000000) { \
      ++(result)->tv_sec; \
      (result)->tv_usec -= 1000000; \
    } \
  } while (0)
#define timersub(left, right, result) \
  do { \
    (result)->tv_sec = (left)->tv_sec - (right)->tv_sec; \
    (result)->tv_usec = (left)->tv_usec - (right)->tv_usec; \
    if ((result)->tv_usec < 0) { \
      --(result)->tv_sec; \
      (result)->tv_usec += 1000000; \
    } \
  } while (0)
int gettimeofday(struct timeval *restrict, void *restrict);
int settimeofday(const struct timeval *, const struct timezone *);
int getitimer(int, struct itimerval *);
int setitimer(int, const struct itimerval *restrict, struct itimerval *restrict);
int utimes(const char *, const struct timeval *);
int futimes(int, const struct timeval *);
int adjtime(const struct timeval *, struct timeval *);
#endif
