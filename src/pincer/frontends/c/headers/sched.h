#ifndef _SCHED_H
#define _SCHED_H
#include <features.h>
#include <pincer/types.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define SCHED_DEADLINE 6
#define SCHED_RESET_ON_FORK 0x40000000
struct sched_param { int sched_priority; };
#define CPU_SETSIZE 1024
typedef struct { unsigned long __bits[CPU_SETSIZE / (8 * sizeof(long))]; } cpu_set_t;
int sched_yield(void);
int sched_get_priority_max(int);
int sched_get_priority_min(int);
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getscheduler(pid_t);
int sched_setparam(pid_t, const struct sched_param *);
int sched_getparam(pid_t, struct sched_param *);
int sched_rr_get_interval(pid_t, struct timespec *);
#ifdef __USE_GNU
#define CLONE_VM 0x100
#define CLONE_FS 0x200
#define CLONE_FILES 0x400
#define CLONE_SIGHAND 0x800
#define CLONE_VFORK 0x4000
#define CLONE_PARENT 0x8000
#define CLONE_THREAD 0x10000
#define CLONE_NEWNS 0x20000
#define CLONE_SYSVSEM 0x40000
#define CLONE_SETTLS 0x80000
#define CLONE_PARENT_SETTID 0x100000
#define CLONE_CHILD_CLEARTID 0x200000
#define CLONE_CHILD_SETTID 0x1000000
#define CLONE_NEWUTS 0x4000000
#define CLONE_NEWIPC 0x8000000
#define CLONE_NEWUSER 0x10000000
#define CLONE_NEWPID 0x20000000
#define CLONE_NEWNET 0x40000000
#define CPU_ZERO(set) \
  do { \
    for (unsigned int __i = 0; __i < CPU_SETSIZE / (8 * sizeof(long)); __i++) \
      (set)->__bits[__i] = 0; \
  } while (0)
#define CPU_SET(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))] |= 1UL << ((cpu) % (8 * sizeof(long))))
#define CPU_CLR(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))] &= ~(1UL << ((cpu) % (8 * sizeof(long)))))
#define CPU_ISSET(cpu, set) (((set)->__bits[(cpu) / (8 * sizeof(long))] >> ((cpu) % (8 * sizeof(long)))) & 1)
int clone(int (*)(void *), void *, int, void *, ...);
int unshare(int);
int setns(int, int);
int sched_getcpu(void);
int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
int sched_getaffinity(pid_t, size_t, cpu_set_t *);
#endif
#endif
