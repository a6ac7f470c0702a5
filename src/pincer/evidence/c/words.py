"""The words of verifiers in compiled tests: the types of inputs, and what each word does there.

They are understood without declarations, too; a compiler would take an undeclared one for a function that returns int,
and pass a condition as it is. So those that a program does not declare get a declaration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pincer.evidence.c.tokens import CText

NONDET_PREFIXES = ("__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet_", "__ESBMC_nondet_")
_SIGNED = {
    "char": "char",
    "schar": "signed char",
    "short": "short",
    "int": "int",
    "long": "long",
    "longlong": "long long",
    "loff_t": "long long",
    "ptrdiff_t": "__PTRDIFF_TYPE__",
    "s8": "signed char",
    "s16": "short",
    "s32": "int",
    "s64": "long long",
}
_UNSIGNED = {
    "bool": "_Bool",
    "_Bool": "_Bool",
    "uchar": "unsigned char",
    "int128": "__int128",
    "uint128": "unsigned __int128",
    "unsigned_char": "unsigned char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "unsigned": "unsigned int",
    "unsigned_int": "unsigned int",
    "ulong": "unsigned long",
    "ulonglong": "unsigned long long",
    "size_t": "__SIZE_TYPE__",
    "sector_t": "unsigned long",
    "pthread_t": "unsigned long",
    "pointer": "void *",
    "pchar": "char *",
    "charp": "char *",
    "const_char_pointer": "const char *",
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned int",
    "u64": "unsigned long long",
    "float": "float",
    "double": "double",
}
_WIDTHS = {1: "_Bool", 8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}

_BY_WORD = {
    'void NAME(int condition, ...) { __pincer_require(condition, "a failing assertion"); }': (
        "assert __VERIFIER_assert __CPROVER_assert __CPROVER_precondition __CPROVER_postcondition __ESBMC_assert"
    ),
    "void NAME(int condition) { __pincer_assume(condition); }": (
        "__VERIFIER_assume assume_abort_if_not __CPROVER_assume __ESBMC_assume klee_assume"
    ),
    "void NAME(void) { }": "__VERIFIER_atomic_begin __VERIFIER_atomic_end",
    "void NAME() { }": (
        "__CPROVER_input __CPROVER_output __CPROVER_cover __CPROVER_printf __ESBMC_cover __ESBMC_yield "
        "klee_prefer_cex klee_posix_prefer_cex klee_warning klee_warning_once klee_print_expr klee_print_range "
        "klee_open_merge klee_close_merge klee_stack_trace klee_mark_global klee_set_forking"
    ),
    'void NAME() { __pincer_reached("NAME", 0); }': "klee_report_error klee_abort",
    "void NAME(int status) { __pincer_stop(status); }": "klee_silent_exit",
}
WORDS: Mapping[str, str] = {
    name: text.replace("NAME", name) for text, names in _BY_WORD.items() for name in names.split()
}
"""What the words of verifiers do."""

OBJECTS = """\
__attribute__((weak))
extern const char *__asan_locate_address(void *, char *, __SIZE_TYPE__, void **, __SIZE_TYPE__ *);
__attribute__((weak)) extern void *__asan_region_is_poisoned(void *, __SIZE_TYPE__);
__attribute__((unused))
static __SIZE_TYPE__ __pincer_size(const void *pointer, void **start) {
    __SIZE_TYPE__ size = 0;
    *start = 0;
    if (!__asan_locate_address) __pincer_stop(99);
    __asan_locate_address((void *)pointer, 0, 0, start, &size);
    return size;
}
__attribute__((unused))
static char *__pincer_start(const void *pointer) {
    void *start;
    __pincer_size(pointer, &start);
    return start;
}
"""
"""What the words about objects are made of: AddressSanitizer knows where objects begin and end."""
_BY_OBJECT_WORD = {
    "int NAME(const void *pointer, __SIZE_TYPE__ size)"
    " { return !size || (pointer && __pincer_start(pointer) && !__asan_region_is_poisoned((void *)pointer, size)); }": (
        "__CPROVER_r_ok __CPROVER_w_ok __CPROVER_rw_ok __ESBMC_r_ok"
    ),
    "__SIZE_TYPE__ NAME(const void *pointer) { void *start; return __pincer_size(pointer, &start); }": (
        "__CPROVER_OBJECT_SIZE __ESBMC_get_object_size"
    ),
    "__SIZE_TYPE__ NAME(const void *pointer) { return (char *)pointer - __pincer_start(pointer); }": (
        "__CPROVER_POINTER_OFFSET __ESBMC_POINTER_OFFSET"
    ),
    "int NAME(const void *first, const void *second) { return __pincer_start(first) == __pincer_start(second); }": (
        "__CPROVER_same_object __ESBMC_same_object"
    ),
    "void NAME(void *pointer) { void *start; __SIZE_TYPE__ size = __pincer_size(pointer, &start);"
    ' __pincer_fill("NAME", start, size); }': "__CPROVER_havoc_object",
}
OBJECT_WORDS: Mapping[str, str] = {
    name: text.replace("NAME", name) for text, names in _BY_OBJECT_WORD.items() for name in names.split()
}
"""Words that ask about objects."""

FILLERS: Mapping[str, str] = {
    "klee_make_symbolic": (
        "void klee_make_symbolic(void *object, __SIZE_TYPE__ size, const char *name)"
        ' { __pincer_fill("klee_make_symbolic", object, size); }'
    ),
    **{
        name: f'void {name}(void *object, __SIZE_TYPE__ size) {{ __pincer_fill("{name}", object, size); }}'
        for name in ("__CPROVER_havoc_slice", "__VERIFIER_nondet_memory")
    },
}
"""Functions that store what is recorded, piece by piece."""


def return_type(name: str, width: int) -> tuple[str, bool]:
    """The C type in which a function delivers an input, and whether it is signed."""
    suffix = next((name.removeprefix(prefix) for prefix in NONDET_PREFIXES if name.startswith(prefix)), name)
    if suffix != name and suffix in _SIGNED:
        return _SIGNED[suffix], True
    if suffix != name and suffix in _UNSIGNED:
        return _UNSIGNED[suffix], False
    return next(type_ for bits, type_ in _WIDTHS.items() if width <= bits or bits == 64), False


FAILING_WORDS = frozenset(
    (
        *(name for name, text in WORDS.items() if "require" in text or "reached" in text),
        "__pincer_assert",
        "__assert_rtn",
    )
)
"""Words whose call may be the failure."""
_CONDITIONS = frozenset((*(name for name, text in WORDS.items() if "int condition" in text), "__pincer_assert"))
_ERROR_FUNCTIONS = frozenset({"reach_error", "__VERIFIER_error", "__pincer_fail"})
_LENGTHS = frozenset({"klee_choose"})


def looks_at_objects(text: str) -> bool:
    """Whether a program may ask about objects."""
    return any(word in text for word in OBJECT_WORDS)


def declarations(source: CText) -> Iterator[str]:
    """A declaration for each word that the program only calls, for a text that no preprocessor reads any more."""
    for declaration in _declarations(source):
        sizes = declaration.replace("__SIZE_TYPE__", "__typeof__(sizeof 0)")
        yield sizes.replace("__PTRDIFF_TYPE__", "__typeof__((char *)0 - (char *)0)")


def _declarations(source: CText) -> Iterator[str]:
    others = {token.text for index, token in enumerate(source.tokens) if not is_pure_call(source, index)}
    for name in sorted(source.names - others):
        if name in _CONDITIONS:
            yield f"extern void {name}(_Bool, ...);\n"
        elif name in WORDS or name in FILLERS or name in _ERROR_FUNCTIONS:
            yield f"extern void {name}();\n"
        elif name in OBJECT_WORDS:
            yield f"{OBJECT_WORDS[name].partition(' {')[0]};\n"
        elif name in _LENGTHS:
            yield f"extern __SIZE_TYPE__ {name}();\n"
        elif name.startswith(NONDET_PREFIXES):
            yield f"extern {return_type(name, 32)[0]} {name}();\n"


def is_pure_call(source: CText, index: int) -> bool:
    """Whether a name is called here, and neither declared nor defined."""
    before = source.text(index - 1)
    declared = before == "*" or ((before[:1].isalpha() or before[:1] == "_") and before not in _BEFORE_CALLS)
    return source.is_call(index) and not declared


_BEFORE_CALLS = frozenset(("return", "else", "do", "case", "sizeof"))
