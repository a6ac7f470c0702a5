/* The interface that test programs for KLEE expect. */
#ifndef KLEE_H
#define KLEE_H
#include <stddef.h>
#include <stdint.h>
void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_range(int first, int end, const char *name);
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t end);
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_stack_trace(void);
void klee_mark_global(void *object);
void klee_set_forking(unsigned enable);
unsigned klee_is_symbolic(uintptr_t value);
void __pincer_assert(int);
#define klee_assert(condition) __pincer_assert((condition) != 0)
#endif
