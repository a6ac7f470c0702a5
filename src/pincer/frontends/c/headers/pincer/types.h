/* Types that several headers define. */
#ifndef _PINCER_TYPES_H
#define _PINCER_TYPES_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __INT8_TYPE__ __int8_t;
typedef __INT16_TYPE__ __int16_t;
typedef __INT32_TYPE__ __int32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT8_TYPE__ __uint8_t;
typedef __UINT16_TYPE__ __uint16_t;
typedef __UINT32_TYPE__ __uint32_t;
typedef __UINT64_TYPE__ __uint64_t;
typedef long off_t;
typedef long time_t;
typedef long clock_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef int clockid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
#ifndef NULL
#define NULL ((void *)0)
#endif
#endif
