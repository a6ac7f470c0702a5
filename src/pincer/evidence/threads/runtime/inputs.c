/* The recorded inputs: each thread has its own, in its own order. */

struct __pincer_thread_input { int thread; const char *source; unsigned long long value; };
struct __pincer_filling { int group, thread, last; unsigned long long value; };
static __thread int __pincer_self;
