#ifndef _UCONTEXT_H
#define _UCONTEXT_H
#include <signal.h>
#if __SIZEOF_POINTER__ == 8
typedef struct { long long __words[32]; } mcontext_t;
#define __PINCER_CONTEXT_TAIL 544
#else
typedef struct { int __words[22]; } mcontext_t;
#define __PINCER_CONTEXT_TAIL 128
#endif
typedef struct ucontext_t {
  unsigned long uc_flags;
  struct ucontext_t *uc_link;
  stack_t uc_stack;
  mcontext_t uc_mcontext;
  sigset_t uc_sigmask;
  char __tail[__PINCER_CONTEXT_TAIL];
} ucontext_t;
int getcontext(ucontext_t *);
int setcontext(const ucontext_t *);
int swapcontext(ucontext_t *restrict, const ucontext_t *restrict);
void makecontext(ucontext_t *, void (*)(void), int, ...);
#endif
