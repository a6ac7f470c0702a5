#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H
#if __SIZEOF_POINTER__ == 8
#define SYS_read 0
#else
#define SYS_read 3
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_write 1
#else
#define SYS_write 4
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_open 2
#else
#define SYS_open 5
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_close 3
#else
#define SYS_close 6
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_mmap 9
#else
#define SYS_mmap 90
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_ioctl 16
#else
#define SYS_ioctl 54
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_getpid 39
#else
#define SYS_getpid 20
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_gettid 186
#else
#define SYS_gettid 224
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_futex 202
#else
#define SYS_futex 240
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_exit 60
#else
#define SYS_exit 1
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_exit_group 231
#else
#define SYS_exit_group 252
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_clone 56
#else
#define SYS_clone 120
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_fork 57
#else
#define SYS_fork 2
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_kill 62
#else
#define SYS_kill 37
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_tgkill 234
#else
#define SYS_tgkill 270
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_sched_setaffinity 203
#else
#define SYS_sched_setaffinity 241
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_sched_getaffinity 204
#else
#define SYS_sched_getaffinity 242
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_getrandom 318
#else
#define SYS_getrandom 355
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_clock_gettime 228
#else
#define SYS_clock_gettime 265
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_membarrier 324
#else
#define SYS_membarrier 375
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_memfd_create 319
#else
#define SYS_memfd_create 356
#endif
#if __SIZEOF_POINTER__ == 8
#define SYS_prctl 157
#else
#define SYS_prctl 172
#endif
#endif
