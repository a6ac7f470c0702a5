"""Functions of the C library that read from outside, in a compiled test: they get what the model chose.

They are built from the same text as in the model, so that values are asked for in the same order. Their streams are
real ones, on which all other functions of the library can work, with a state beside each of them. Where a stream has
been closed its state is freed, so that sanitizers see a use after that.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from pincer.evidence.c.instrument import FAILING_ALLOCATION, Instrumented
from pincer.evidence.c.trace import InputValue
from pincer.frontends.c.library.bodies import ENVIRONMENT, environment_source, sources

_ERROR = "number of an error"
_WATCHERS = frozenset(("feof", "ferror", "ungetc", "clearerr", "ftell", "ftello"))

_STREAMS = """
typedef __SIZE_TYPE__ __library_size;
typedef __PTRDIFF_TYPE__ __library_ssize;
struct _IO_FILE;
struct timeval;
struct timespec;
struct tm;
struct stat;
struct termios;
struct utsname;
struct pollfd;
extern __SIZE_TYPE__ strlen(const char *);
extern int strcmp(const char *, const char *);
extern struct _IO_FILE *stdin, *stdout, *stderr;
extern struct _IO_FILE *fmemopen(void *, __SIZE_TYPE__, const char *);
extern void *malloc(__SIZE_TYPE__);
extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
extern void free(void *);
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())

struct __library_stream { int ended; int failed; int pushed; int at_end; int own; };
static struct { struct _IO_FILE *stream; struct __library_stream *state; } __pincer_streams[256];

static struct __library_stream *__pincer_state(struct _IO_FILE *stream) {
    int i = 0;
    if (!stream) return (struct __library_stream *)stream;
    for (; __pincer_streams[i].stream && i < 255; i++)
        if (__pincer_streams[i].stream == stream) return __pincer_streams[i].state;
    __pincer_streams[i].stream = stream;
    return __pincer_streams[i].state = calloc(1, sizeof(struct __library_stream));
}

static void __pincer_use(struct _IO_FILE *stream) { (void)*(volatile int *)__pincer_state(stream); }
static struct _IO_FILE *__pincer_new_stream(void) { return fmemopen(0, 65536, "w+"); }
static void __pincer_end_stream(struct _IO_FILE *stream) {
    if (stream != stdin && stream != stdout && stream != stderr) free(__pincer_state(stream));
}

static unsigned long long __pincer_chosen(const char *what, unsigned long long usual) {
    return __pincer_inputs[__pincer_next].source ? __pincer_take(what) : usual;
}
static int __pincer_pick(const char *what, int low, int high, int usual) {
    return (int)__pincer_chosen(what, (unsigned long long)usual);
}
static long __pincer_pick_long(const char *what, long low, long high, long usual) {
    return (long)__pincer_chosen(what, (unsigned long long)usual);
}
static __SIZE_TYPE__ __pincer_pick_size(const char *what, __SIZE_TYPE__ low, __SIZE_TYPE__ high, __SIZE_TYPE__ usual) {
    return (__SIZE_TYPE__)__pincer_chosen(what, usual);
}
static void __pincer_any_errno(void) {
    const char *next = __pincer_inputs[__pincer_next].source, *wanted = "ERROR";
    while (next && *next && *next == *wanted) next++, wanted++;
    if (next && *next == *wanted) errno = (int)__pincer_take("ERROR");
}
static void __pincer_at_once(int begins) { (void)begins; }
static void __pincer_unsupported(const char *what) {
    __pincer_say("\\npincer: diverged: ");
    __pincer_say(what);
    __pincer_say("\\n");
    __pincer_stop(99);
}
static void __pincer_read_text(const char *text) { while (*(volatile const char *)text) text++; }
static void __pincer_read_bytes(const void *bytes, __SIZE_TYPE__ count) {
    for (__SIZE_TYPE__ i = 0; i < count; i++) (void)((volatile const char *)bytes)[i];
}
""".replace("ERROR", _ERROR)


_ALLOCATION = """
extern void *malloc(__SIZE_TYPE__);
extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
void *__pincer_malloc(__SIZE_TYPE__ size) { return __pincer_take("FAILURE") ? 0 : malloc(size); }
void *__pincer_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) {
    return __pincer_take("FAILURE") ? 0 : calloc(count, size);
}
void *__pincer_realloc(void *old, __SIZE_TYPE__ size) {
    if (old && !size) return realloc(old, size);
    return __pincer_take("FAILURE") ? 0 : realloc(old, size);
}
""".replace("FAILURE", FAILING_ALLOCATION)


def allocation(inputs: Iterable[InputValue]) -> str:
    """What the instrumented program calls to allocate memory when the test has that fail."""
    return _ALLOCATION if any(value.source == FAILING_ALLOCATION for value in inputs) else ""


def without_own_names(program: Instrumented, inputs: Iterable[InputValue]) -> Instrumented:
    """The program without uses of functions that only have such a name: the test knows what calls of these return."""
    own = {value.name for value in inputs if value.kind == "external" and value.is_returned}
    return replace(program, used=program.used - own)


def environment(program: Instrumented) -> str:
    """The definitions that a program needs which reads from outside."""
    text = environment_source(_used(program))
    if not text:
        return ""
    watched = int(not _WATCHERS.isdisjoint(program.used))
    return f"{_STREAMS}static int __pincer_watched(void) {{ return {watched}; }}\n{text}"


def delivered(program: Instrumented) -> frozenset[str]:
    """What these definitions ask for, in words, and what allocations do; nothing is delivered to threads."""
    return _asked(_used(program)) | {FAILING_ALLOCATION} if program.used else frozenset()


def _used(program: Instrumented) -> frozenset[str]:
    return ENVIRONMENT & program.used - program.defined


@lru_cache(maxsize=16)
def _asked(names: frozenset[str]) -> frozenset[str]:
    found = sources(environment_source(names))
    return found | {_ERROR} if found else found
