"""The C file that supplies what a program leaves undefined, and plays the recorded inputs of one test.

Functions that deliver inputs return the recorded values in global call order, and 0 after the last. The harness speaks
to `pincer.evidence.c.execution` through the exit status and a line on the error stream. It makes system calls itself
where it can, because a program may define `write` or `exit` for its own purposes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping

from pincer.evidence.c.command_line import MOST_ARGUMENTS
from pincer.evidence.c.environment import allocation, delivered, environment, without_own_names
from pincer.evidence.c.instrument import Instrumented
from pincer.evidence.c.numbers import input_function, type_name
from pincer.evidence.c.scanning import SCANNERS, SCANNERS_OF_TEXTS, scanning_functions
from pincer.evidence.c.trace import InputValue
from pincer.evidence.c.words import FILLERS, NONDET_PREFIXES, OBJECT_WORDS, OBJECTS, WORDS, return_type
from pincer.evidence.c.writes import Act, Write, is_stored, writes, writing_function

REACHED, ASSUMPTION_FAILED, DIVERGED = 97, 98, 99
OWN_FILE = "character of a file that the program may have written"
"""What the library asks for where a file was made by the program, or opened after the program has made one."""

_RUNTIME = """\
#ifdef PINCER_CRASHES
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>
#endif
#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
static long __pincer_system(long number, long first, long second, long third) {
    long result;
#ifdef __x86_64__
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "memory");
#else
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
#endif
    return result;
}
#ifdef __x86_64__
static void __pincer_write(const char *text, long size) { __pincer_system(1, 2, (long)text, size); }
static void __pincer_end(int status) { __pincer_system(231, status, 0, 0); }
#define PINCER_PRCTL 157
#else
static void __pincer_write(const char *text, long size) { __pincer_system(4, 2, (long)text, size); }
static void __pincer_end(int status) { __pincer_system(252, status, 0, 0); }
#define PINCER_PRCTL 172
#endif
/* The kernel ends this process (signal 9) when the one that started it ends (option 1). */
__attribute__((constructor)) static void __pincer_begin(void) { __pincer_system(PINCER_PRCTL, 1, 9, 0); }
#else
extern long write(int, const void *, unsigned long);
extern void _exit(int);
static void __pincer_write(const char *text, long size) { write(2, text, size); }
static void __pincer_end(int status) { _exit(status); }
#endif

static void __pincer_stop(int status) {
#ifdef PINCER_COVERAGE
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
    for (;;) __pincer_end(status);
}

static void __pincer_say(const char *text) {
    long size = 0;
    while (text[size]) size++;
    __pincer_write(text, size);
}

static void __pincer_say_number(unsigned number) {
    if (number > 9) __pincer_say_number(number / 10);
    __pincer_write(&"0123456789"[number % 10], 1);
}

/* Where the program is about to call a function that may fail, until it turns out that it does not. */
static __thread const char *__pincer_file = "";
static __thread int __pincer_line;
void __pincer_here(const char *file, int line) { __pincer_file = file; __pincer_line = line; }

void __pincer_reached(const char *what, int line) {
    __pincer_say("\\npincer: reached ");
    __pincer_say(what);
    if (__pincer_line > 0 || line > 0) {
        __pincer_say(" at ");
        __pincer_say(__pincer_file);
        __pincer_say(":");
        __pincer_say_number(__pincer_line > 0 ? __pincer_line : line);
    }
    __pincer_say("\\n");
    __pincer_stop(97);
}

__attribute__((unused))
static void __pincer_require(int condition, const char *what) {
    if (!condition) __pincer_reached(what, 0);
    __pincer_here("", 0);
}

#if defined(PINCER_CRASHES) && defined(__GLIBC__)
extern int backtrace(void **, int);
static void __pincer_say_address(unsigned long address) {
    __pincer_say(" 0x");
    for (int shift = 8 * sizeof(void *) - 4; shift >= 0; shift -= 4)
        __pincer_write(&"0123456789abcdef"[address >> shift & 15], 1);
}
static void __pincer_crashed(int number, siginfo_t *cause, void *machine) {
    void *frames[64];
    int count = backtrace(frames, 64);
    __pincer_say("\\npincer: crashed below");
#if defined(__x86_64__) || defined(__i386__)
#ifdef __x86_64__
    greg_t *at = ((ucontext_t *)machine)->uc_mcontext.gregs, code = at[REG_RIP], top = at[REG_RSP];
#else
    greg_t *at = ((ucontext_t *)machine)->uc_mcontext.gregs, code = at[REG_EIP], top = at[REG_ESP];
#endif
    /* What was called is no function: the call is the last thing on the stack. */
    if (number == 11 && (unsigned long)cause->si_addr == (unsigned long)code)
        __pincer_say_address(*(unsigned long *)top - 1);
#endif
    for (int i = 0; i < count; i++) __pincer_say_address((unsigned long)frames[i] - (i > 2));
    __pincer_say("\\n");
    signal(number, (void (*)(int))0);
    raise(number);
}
static void __pincer_catch(int number) {
    struct sigaction action = {.sa_sigaction = __pincer_crashed, .sa_flags = SA_SIGINFO};
    sigaction(number, &action, 0);
}
__attribute__((constructor)) static void __pincer_watch(void) {
    void *frame;
    backtrace(&frame, 1);
    __pincer_catch(11);
    __pincer_catch(7);
    __pincer_catch(8);
#ifdef PINCER_TRAPS
    __pincer_catch(6);
#endif
}
#endif

#ifdef PINCER_CHARACTERS
extern void __sanitizer_print_stack_trace(void);
#define PINCER_CHARACTER(name) \\
    extern int __real_##name(int); \\
    int __wrap_##name(int character) { \\
        if (character < -1 || character > 255) { \\
            __pincer_say("\\nERROR: pincer: " #name " of what is no character\\n"); \\
            __sanitizer_print_stack_trace(); \\
            __pincer_end(1); \\
        } \\
        return __real_##name(character); \\
    }
PINCER_CHARACTERS
#endif

#ifdef PINCER_EMPTY_OBJECTS
/* AddressSanitizer gives an object without bytes one, and would let it be used. */
extern void __asan_poison_memory_region(const volatile void *, __SIZE_TYPE__);
extern __SIZE_TYPE__ __sanitizer_get_allocated_size(const volatile void *);
extern int __sanitizer_get_ownership(const volatile void *);
extern void *__real_malloc(__SIZE_TYPE__);
extern void *__real_calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void *__real_realloc(void *, __SIZE_TYPE__);
static void *__pincer_empty(void *object) {
    if (object && __sanitizer_get_ownership(object) && __sanitizer_get_allocated_size(object) == 1)
        __asan_poison_memory_region(object, 1);
    return object;
}
void *__wrap_malloc(__SIZE_TYPE__ size) { return size ? __real_malloc(size) : __pincer_empty(__real_malloc(0)); }
void *__wrap_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) {
    return count && size ? __real_calloc(count, size) : __pincer_empty(__real_calloc(count, size));
}
void *__wrap_realloc(void *old, __SIZE_TYPE__ size) {
    return old || size ? __real_realloc(old, size) : __pincer_empty(__real_realloc(old, 0));
}
#endif

__attribute__((unused))
static void __pincer_assume(int condition) {
    if (condition) return;
    __pincer_say("\\npincer: an assumption does not hold\\n");
    __pincer_stop(98);
}

void __pincer_store(void *target, unsigned long size, unsigned long long value) {
    int little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    for (unsigned long i = 0; i < size && i < sizeof value; i++)
        ((unsigned char *)target)[little ? i : size - 1 - i] = (unsigned char)(value >> (8 * i));
}

void *__pincer_fresh(unsigned long size) {
    extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
    return calloc(1, size ? size : 1);
}

/* What a function stores goes to one of its arguments, counted from 1, or to an object; other values are returned. */
struct __pincer_input {
    const char *source; unsigned long long value; unsigned long size;
    int argument; void *object; long offset; int act;
};
"""

_TAKE = """
static unsigned long __pincer_next;
static unsigned long long __pincer_take(const char *source) {
    const struct __pincer_input *input = &__pincer_inputs[__pincer_next];
    if (!input->source) return 0;
    for (long i = 0; source[i] || input->source[i]; i++)
        if (source[i] != input->source[i]) {
            __pincer_say("\\npincer: diverged: the program calls ");
            __pincer_say(source);
            __pincer_say(", the test recorded ");
            __pincer_say(input->source);
            __pincer_say("\\n");
            __pincer_stop(99);
        }
    __pincer_next++;
    return input->value;
}
static int __pincer_is_next(const char *source) {
    const char *next = __pincer_inputs[__pincer_next].source;
    while (next && *source && *source == *next) source++, next++;
    return next && *source == *next;
}
/* Perhaps call an argument: what is passed follows, numbers (2) and arguments by their numbers (3). */
static void __pincer_call(const char *source, const unsigned long *given) {
    unsigned long passed[6] = {0};
    unsigned long which = given[__pincer_inputs[__pincer_next].argument - 1];
    if (!__pincer_take(source)) return;
    for (int i = 0; i < 6 && __pincer_is_next(source) && __pincer_inputs[__pincer_next].act > 1; i++) {
        int act = __pincer_inputs[__pincer_next].act;
        passed[i] = __pincer_take(source);
        if (act == 3) passed[i] = passed[i] ? given[passed[i] - 1] : 0;
    }
    ((void (*)(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long))which)(
        passed[0], passed[1], passed[2], passed[3], passed[4], passed[5]);
}
__attribute__((unused))
static void __pincer_write_all(const char *source, const unsigned long *given) {
    for (;;) {
        const struct __pincer_input *input = &__pincer_inputs[__pincer_next];
        if (!__pincer_is_next(source) || (!input->argument && !input->object && !input->act) || input->act == 4) return;
        if (input->act) {
            __pincer_call(source, given);
            continue;
        }
        char *target = input->object ? input->object : (char *)given[input->argument - 1];
        unsigned long size = input->size;
        __pincer_store(target + input->offset, size, __pincer_take(source));
    }
}
/* The members of one structure have offsets that rise. */
void __pincer_members(const char *source, void *object) {
    for (long last = -1; __pincer_is_next(source) && __pincer_inputs[__pincer_next].offset > last;) {
        const struct __pincer_input *input = &__pincer_inputs[__pincer_next];
        last = input->offset;
        __pincer_store((char *)object + last, input->size, __pincer_take(source));
    }
}
__attribute__((unused))
static void __pincer_fill(const char *source, void *object, unsigned long size) {
    for (unsigned long at = 0; at < size;) {
        unsigned long part = __pincer_inputs[__pincer_next].size;
        if (!part) return;
        __pincer_store((char *)object + at, part < size - at ? part : size - at, __pincer_take(source));
        at += part;
    }
}
"""

_SUPPORT: Mapping[str, str] = {
    "reach_error": 'void reach_error(void) { __pincer_reached("reach_error", 0); }',
    "__VERIFIER_error": 'void __VERIFIER_error(void) { __pincer_reached("__VERIFIER_error", 0); }',
    "__pincer_fail": 'void __pincer_fail(void) { __pincer_reached("__pincer_fail", 0); }',
    "__assert_fail": (
        "void __assert_fail(const char *text, const char *file, unsigned line, const char *function)"
        ' { __pincer_reached("a failing assertion", line); }'
    ),
    "__assert_rtn": (
        "void __assert_rtn(const char *function, const char *file, int line, const char *text)"
        ' { __pincer_reached("a failing assertion", line); }'
    ),
    "__pincer_round": """\
void __pincer_round(int counts, int holds, unsigned long skipped, unsigned long rounds) {
    static unsigned long visits;
    visits += counts != 0;
    if (visits <= skipped) return;
    if (!holds) {
        __pincer_say("\\npincer: left the region\\n");
        __pincer_stop(99);
    }
    if (!counts || visits - skipped <= rounds) return;
    __pincer_say("\\npincer: went round\\n");
    __pincer_stop(96);
}""",
    "__pincer_at_end": """\
extern int atexit(void (*)(void));
extern void (*signal(int, void (*)(int)))(int);
static void (*__pincer_last)(void);
static void __pincer_aborted(int number) { (void)number; __pincer_last(); }
void __pincer_at_end(void (*action)(void)) {
    __pincer_last = action;
    atexit(action);
    signal(6, __pincer_aborted);
}""",
    "__pincer_assert": ('void __pincer_assert(int condition) { __pincer_require(condition, "a failing assertion"); }'),
    "__pincer_assert_message": (
        "void __pincer_assert_message(int condition, const char *message) { __pincer_require(condition, message); }"
    ),
}


def harness(
    inputs: Iterable[InputValue], program: Instrumented, stubs: Iterable[str] = (), coverage: bool = False
) -> str:
    """The harness that plays inputs to an instrumented program; `stubs` are further names that nobody defines."""
    values = tuple(inputs)
    program = without_own_names(program, values)
    called = [value for value in values if is_result(value, program)]
    objects = {value.name: value for value in values if value.kind == "external" and value.name not in program.called}
    parts = ["/* Generated by pincer: plays the recorded inputs of one test. */", _RUNTIME]
    parts += _input_table(called, delivered(program))
    parts += [_undefined_table(program.undefined), ""]
    support = {**_SUPPORT, **WORDS, **FILLERS}
    parts += [text for name, text in support.items() if name in program.mentioned and name not in program.defined]
    asked = [text for name, text in OBJECT_WORDS.items() if name in program.mentioned - program.defined]
    parts += [OBJECTS, *asked] if asked else []
    parts += _input_functions(called, program)
    parts += scanning_functions(program, "__pincer_take")
    parts += [environment(program), allocation(values)]
    parts += [_stub(name, name in program.called, objects.get(name)) for name in sorted(stubs)]
    if coverage and "abort" not in program.defined:
        parts.append("void abort(void) { __pincer_stop(134); }")
    return "\n".join(parts) + "\n"


def is_result(value: InputValue, program: Instrumented) -> bool:
    """Whether a value is what a call of a replaced function returns or reads."""
    if value.kind == "external":
        outside = value.source in delivered(program)
        return outside or (_is_of_a_call(value) and value.name in program.called - SCANNERS_OF_TEXTS)
    return value.kind == "nondet"


def _is_of_a_call(value: InputValue) -> bool:
    """Whether a source ends with the name of a function; others only describe what the library asked for."""
    return value.is_returned or value.source.startswith("number read by ") or is_stored(value)


def _table_name(value: InputValue, outside: Collection[str]) -> str:
    return value.source if value.source in outside else value.name


def undeliverable(inputs: Iterable[InputValue]) -> str | None:
    """The input that no C function can deliver, or None."""
    for value in inputs:
        if value.kind in ("nondet", "external") and value.width > 64:
            return f"the input of {value.width} bits from {value.source} at line {value.position.line}"
        if value.kind == "command" and value.source == "argc" and value.signed_value > MOST_ARGUMENTS:
            return f"{value.signed_value} arguments"
        if value.kind == "external" and value.source == OWN_FILE:
            return "what a file contains that the program may have written itself"
    return None


def _input_table(called: Iterable[InputValue], outside: Collection[str]) -> Iterator[str]:
    recorded = tuple(called)
    places = writes(recorded)
    for name in sorted({place.object for place in places if place is not None and place.object is not None}):
        yield f"extern unsigned char {name}[];"
    yield "static const struct __pincer_input __pincer_inputs[] = {"
    for value, place in zip(recorded, places, strict=True):
        signed = not value.floating and return_type(value.name, value.width)[1]
        number = value.signed_value if signed else value.value
        name, line = json.dumps(_table_name(value, outside)), value.position.line
        fields = f"{name}, (unsigned long long){_literal(number)}, {(value.width + 7) // 8}, {_stored_to(place)}"
        yield f"    {{{fields}}}, /* line {line} */"
    yield "    {0, 0, 0, 0, 0, 0, 0}\n};"
    yield _TAKE


def _literal(number: int) -> str:
    return f"{number}ULL" if number >= 0 else f"-{-number}ULL"


def _undefined_table(groups: tuple[tuple[InputValue, ...], ...]) -> str:
    """Values for uninitialised variables: each declaration has its own sequence, whose last value repeats."""
    if not groups:
        return ""
    lines = ["static struct { unsigned long long value; int last; } __pincer_values[] = {"]
    starts, total = [], 0
    for group in groups:
        starts.append(str(total))
        total += len(group)
        lines += [f"    {{{value.value}ULL, {int(value is group[-1])}}}, /* {value.name} */" for value in group]
    lines += ["};", f"static int __pincer_at[] = {{{', '.join(starts)}}};"]
    lines += ["void __pincer_undefined(int group, void *target, unsigned long size) {"]
    lines += ["    int at = __pincer_at[group];"]
    lines += ["    __pincer_store(target, size, __pincer_values[at].value);"]
    lines += ["    if (!__pincer_values[at].last) __pincer_at[group]++;", "}"]
    return "\n".join(lines)


def _stored_to(place: Write | None) -> str:
    if place is None:
        return "0, 0, 0, 0"
    return (
        f"{0 if place.argument is None else place.argument + 1}, {place.object or 0}, {place.offset}, {place.act.value}"
    )


def _input_functions(called: Iterable[InputValue], program: Instrumented) -> Iterator[str]:
    outside = delivered(program)
    recorded = tuple(called)
    places = writes(recorded)
    writing = {place.function for place in places if place is not None and place.act is not Act.RETURNS}
    pairs = zip(recorded, places, strict=True)
    returned = [value for value, place in pairs if value.source not in outside and place is None]
    types = input_types(returned, program)
    for name in sorted(writing - program.defined):
        yield writing_function(name, types.get(name, "unsigned long long"))
    for name in sorted(types.keys() - writing - program.defined - SCANNERS - FILLERS.keys() - OBJECT_WORDS.keys()):
        yield input_function(name, types[name], "__pincer_take")


def input_types(called: Iterable[InputValue], program: Instrumented) -> dict[str, str]:
    """The C types in which functions deliver inputs: those that were called, and those that are mentioned."""
    types = {name: return_type(name, 64)[0] for name in program.mentioned & program.called if is_input_function(name)}
    for value in called:
        number = type_name(value.width) if value.floating else None
        types[value.name] = number or return_type(value.name, value.width)[0]
    return types


def is_input_function(name: str) -> bool:
    return name.startswith(NONDET_PREFIXES)


def _stub(name: str, is_function: bool, value: InputValue | None) -> str:
    """What stands for a function or an object that nobody defines; the test may know what the object holds."""
    if is_function:
        return f"unsigned long long {name}() {{ return 0; }}"
    contents = b"" if value is None else value.value.to_bytes((value.width + 7) // 8, "little")
    initial = f" = {{{', '.join(map(str, contents))}}}" if contents else ""
    return f"unsigned char {name}[65536] __attribute__((aligned(16))){initial};"
