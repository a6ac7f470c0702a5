#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <features.h>
#include <pincer/types.h>
#include <pincer/signals.h>
#include <stdint.h>
#include <endian.h>
#include <sys/select.h>
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef long register_t;
typedef long long quad_t;
typedef unsigned long long u_quad_t;
typedef struct { int __val[2]; } fsid_t;
typedef long long loff_t;
typedef int daddr_t;
typedef int key_t;
typedef unsigned int id_t;
typedef char *caddr_t;
#if __SIZEOF_POINTER__ == 8
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
#else
typedef unsigned long long dev_t;
typedef unsigned int nlink_t;
#endif
typedef unsigned long ino_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef long long off64_t;
typedef void *timer_t;
#define major(device) ((unsigned int)(((device) >> 8) & 0xfff))
#define minor(device) ((unsigned int)(((device) & 0xff) | (((device) >> 12) & 0xfff00)))
#define makedev(high, low) ((dev_t)(((high) & 0xfff) << 8 | ((low) & 0xff) | (dev_t)((low) & 0xfff00) << 12))
#endif
