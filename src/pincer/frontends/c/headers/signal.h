#ifndef _SIGNAL_H
#define _SIGNAL_H
#include <features.h>
#include <pincer/types.h>
#include <pincer/signals.h>
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
typedef __sighandler_t sig_t;
union sigval { int sival_int; void *sival_ptr; };
typedef union sigval sigval_t;
typedef struct {
  int si_signo;
  int si_errno;
  int si_code;
#if __SIZEOF_POINTER__ == 8
  int __unused_word;
#endif
  union {
    int __space[128 / sizeof(int) - (__SIZEOF_POINTER__ == 8 ? 4 : 3)];
    struct { pid_t si_pid; uid_t si_uid; sigval_t si_value; } __queued;
    struct { pid_t si_pid; uid_t si_uid; int si_status; clock_t si_utime; clock_t si_stime; } __child;
    struct { void *si_addr; short si_addr_lsb; } __fault;
    struct { int si_timerid; int si_overrun; } __timer;
    struct { long si_band; int si_fd; } __poll;
  } __fields;
} siginfo_t;
#define si_pid __fields.__queued.si_pid
#define si_uid __fields.__queued.si_uid
#define si_value __fields.__queued.si_value
#define si_int __fields.__queued.si_value.sival_int
#define si_ptr __fields.__queued.si_value.sival_ptr
#define si_status __fields.__child.si_status
#define si_utime __fields.__child.si_utime
#define si_stime __fields.__child.si_stime
#define si_addr __fields.__fault.si_addr
#define si_addr_lsb __fields.__fault.si_addr_lsb
#define si_timerid __fields.__timer.si_timerid
#define si_overrun __fields.__timer.si_overrun
#define si_band __fields.__poll.si_band
#define si_fd __fields.__poll.si_fd
struct sigevent {
  sigval_t sigev_value;
  int sigev_signo;
  int sigev_notify;
  void (*sigev_notify_function)(sigval_t);
  void *sigev_notify_attributes;
  char __space[64 - 2 * sizeof(int) - 3 * sizeof(void *)];
};
struct sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t *, void *);
  };
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_HOLD ((__sighandler_t)2)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define NSIG 65
#define _NSIG 65
#define SIGRTMIN 34
#define SIGRTMAX 64
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x8000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SA_INTERRUPT 0x20000000
#define SA_NOMASK 0x40000000
#define SA_ONESHOT 0x80000000
#define SA_STACK 0x8000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_SIGIO (-5)
#define SI_TKILL (-6)
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
__sighandler_t signal(int, __sighandler_t);
__sighandler_t bsd_signal(int, __sighandler_t);
int raise(int);
int kill(pid_t, int);
int killpg(pid_t, int);
int sigaction(int, const struct sigaction *restrict, struct sigaction *restrict);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int sigprocmask(int, const sigset_t *restrict, sigset_t *restrict);
int sigpending(sigset_t *);
int sigsuspend(const sigset_t *);
int sigwait(const sigset_t *restrict, int *restrict);
int sigwaitinfo(const sigset_t *restrict, siginfo_t *restrict);
int sigtimedwait(const sigset_t *restrict, siginfo_t *restrict, const struct timespec *restrict);
int sigqueue(pid_t, int, const union sigval);
int sigaltstack(const stack_t *restrict, stack_t *restrict);
int siginterrupt(int, int);
int pthread_sigmask(int, const sigset_t *restrict, sigset_t *restrict);
int pthread_kill(unsigned long, int);
void psignal(int, const char *);
#endif
