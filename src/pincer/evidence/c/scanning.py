"""What the harness puts in the place of `scanf` and its like: recorded numbers and texts are stored as the format asks.

The model takes a result, then as many numbers as the result says; so does this code, unless no real input can have
been read that way. The C library's headers may give these functions another name for the linker, so all its names are
defined. What `sscanf` reads is no input: the library's own function is called, and reads what there is.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincer.evidence.c.instrument import Instrumented

_PARAMETERS = {
    "scanf": "const char *format, ...",
    "fscanf": "void *stream, const char *format, ...",
}
_PREFIXES = ("", "__isoc99_", "__isoc23_")

SCANNERS = frozenset(prefix + name for prefix in _PREFIXES for name in _PARAMETERS)
"""All names of the functions that are replaced."""
SCANNERS_OF_TEXTS = frozenset(prefix + "sscanf" for prefix in _PREFIXES)
"""All names of the function that is not."""

_SCAN = """
static unsigned long __pincer_conversion_size(const char **at) {
    const char *next = *at;
    unsigned long size = sizeof(int);
    int is_long = next[0] == 'l';
    if (next[0] == 'h') size = next[1] == 'h' ? 1 : sizeof(short);
    if (next[0] == 'l') size = next[1] == 'l' ? sizeof(long long) : sizeof(long);
    if (next[0] == 'z' || next[0] == 't') size = sizeof(__SIZE_TYPE__);
    if (next[0] == 'j' || next[0] == 'q' || next[0] == 'L') size = sizeof(long long);
    while (*next == 'h' || *next == 'l' || *next == 'z' || *next == 't' || *next == 'j' || *next == 'q' || *next == 'L')
        next++;
    *at = next;
    if (*next >= 'a' && *next <= 'g' && *next != 'c' && *next != 'd') return is_long ? sizeof(double) : sizeof(float);
    return *next == 'c' ? 1 : size;
}

static void __pincer_scan_text(const char *source, char *target, unsigned long width) {
    unsigned long size = 0;
    while (!width || size < width) {
        int character = (int)TAKE(source);
        if (character < 0) break;
        target[size++] = (char)character;
    }
    target[size] = 0;
}

/* A read that failed leaves what it failed at: 1 a character, 2 the end of the input. */
static int __pincer_stuck;

static int __pincer_scan(const char *source, const char *format, __builtin_va_list targets) {
    int result = (int)TAKE(source), wanted = 0, only_conversions = 1;
    for (const char *next = format; *next; next++) {
        if (*next != '%') {
            only_conversions &= *next == ' ' || (*next >= '\\t' && *next <= '\\r');
            continue;
        }
        int ignored = 0;
        unsigned long width = 0;
        for (next++; *next == '*' || (*next >= '0' && *next <= '9'); next++) {
            ignored |= *next == '*';
            width = *next == '*' ? 0 : 10 * width + (*next - '0');
        }
        unsigned long size = __pincer_conversion_size(&next);
        if (*next == '%') only_conversions = 0;
        if (*next == '%' || ignored) continue;
        if (wanted == 0 && result > 0 && (__pincer_stuck == 2 || (__pincer_stuck && *next != 'c' && *next != 's'))) {
            __pincer_say("\\npincer: diverged: nothing can be read after a read that failed\\n");
            __pincer_stop(99);
        }
        if (wanted++ >= result) continue;
        void *target = __builtin_va_arg(targets, void *);
        if (*next == 's') __pincer_scan_text(source, target, width);
        else __pincer_store(target, size, TAKE(source));
    }
    __pincer_stuck = result < 0 ? 2 : result < wanted && only_conversions;
    return result;
}"""


def scanning_functions(program: Instrumented, take: str) -> Iterator[str]:
    """The definitions that a program needs which reads by formats; `take` delivers the next recorded value."""
    used = SCANNERS & program.mentioned - program.defined
    if used:
        yield _SCAN.replace("TAKE", take)
    for name, parameters in _PARAMETERS.items():
        names = [prefix + name for prefix in _PREFIXES]
        if used.isdisjoint(names):
            continue
        for symbol in names:
            # Under a name that the program does not write itself, the linker knows the plain one.
            source = symbol if symbol in used else next(known for known in names if known in used)
            if symbol not in program.defined:
                yield _function(symbol, parameters, source)


def _function(symbol: str, parameters: str, source: str) -> str:
    return (
        f"int {symbol}({parameters}) {{ __builtin_va_list targets; __builtin_va_start(targets, format); "
        f'int result = __pincer_scan("{source}", format, targets); __builtin_va_end(targets); return result; }}'
    )
