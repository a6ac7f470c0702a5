"""The macros that a compiler of the GNU family defines before it reads the first line, for both data models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

_ALWAYS = {
    "__STDC__": "1",
    "__STDC_HOSTED__": "1",
    "__STDC_VERSION__": "201710L",
    "__GNUC__": "12",
    "__GNUC_MINOR__": "2",
    "__GNUC_PATCHLEVEL__": "0",
    "__GNUC_STDC_INLINE__": "1",
    "__VERSION__": '"12.2.0"',
    "__NO_INLINE__": "1",
    "__linux__": "1",
    "__linux": "1",
    "__unix__": "1",
    "__unix": "1",
    "linux": "1",
    "unix": "1",
    "__gnu_linux__": "1",
    "__ELF__": "1",
    "__DATE__": '"Jan  1 1970"',
    "__TIME__": '"00:00:00"',
    "__TIMESTAMP__": '"Thu Jan  1 00:00:00 1970"',
    "__CHAR_BIT__": "8",
    "__ORDER_LITTLE_ENDIAN__": "1234",
    "__ORDER_BIG_ENDIAN__": "4321",
    "__ORDER_PDP_ENDIAN__": "3412",
    "__BYTE_ORDER__": "1234",
    "__FLOAT_WORD_ORDER__": "1234",
    "__SIZEOF_SHORT__": "2",
    "__SIZEOF_INT__": "4",
    "__SIZEOF_LONG_LONG__": "8",
    "__SIZEOF_FLOAT__": "4",
    "__SIZEOF_DOUBLE__": "8",
    "__SIZEOF_WCHAR_T__": "4",
    "__SIZEOF_WINT_T__": "4",
    "__BIGGEST_ALIGNMENT__": "16",
    "__SCHAR_MAX__": "0x7f",
    "__SHRT_MAX__": "0x7fff",
    "__INT_MAX__": "0x7fffffff",
    "__LONG_LONG_MAX__": "0x7fffffffffffffffLL",
    "__WCHAR_MAX__": "0x7fffffff",
    "__WCHAR_MIN__": "(-__WCHAR_MAX__ - 1)",
    "__WINT_MAX__": "0xffffffffU",
    "__SCHAR_WIDTH__": "8",
    "__SHRT_WIDTH__": "16",
    "__INT_WIDTH__": "32",
    "__LONG_LONG_WIDTH__": "64",
    "__WCHAR_TYPE__": "int",
    "__WINT_TYPE__": "unsigned int",
    "__CHAR16_TYPE__": "short unsigned int",
    "__CHAR32_TYPE__": "unsigned int",
    "__INT8_TYPE__": "signed char",
    "__INT16_TYPE__": "short int",
    "__INT32_TYPE__": "int",
    "__UINT8_TYPE__": "unsigned char",
    "__UINT16_TYPE__": "short unsigned int",
    "__UINT32_TYPE__": "unsigned int",
    "__INT8_MAX__": "0x7f",
    "__INT16_MAX__": "0x7fff",
    "__INT32_MAX__": "0x7fffffff",
    "__UINT8_MAX__": "0xff",
    "__UINT16_MAX__": "0xffff",
    "__UINT32_MAX__": "0xffffffffU",
    "__SIG_ATOMIC_TYPE__": "int",
    "__SIG_ATOMIC_MAX__": "0x7fffffff",
    "__SIG_ATOMIC_MIN__": "(-__SIG_ATOMIC_MAX__ - 1)",
    "__WINT_MIN__": "0U",
    "__INT8_C(c)": "c",
    "__INT16_C(c)": "c",
    "__INT32_C(c)": "c",
    "__UINT8_C(c)": "c",
    "__UINT16_C(c)": "c",
    "__UINT32_C(c)": "c ## U",
    "__ATOMIC_RELAXED": "0",
    "__ATOMIC_CONSUME": "1",
    "__ATOMIC_ACQUIRE": "2",
    "__ATOMIC_RELEASE": "3",
    "__ATOMIC_ACQ_REL": "4",
    "__ATOMIC_SEQ_CST": "5",
    "__USER_LABEL_PREFIX__": "",
    "__FLT_EVAL_METHOD__": "0",
    "__FLT_RADIX__": "2",
    "__FLT_MANT_DIG__": "24",
    "__FLT_DIG__": "6",
    "__FLT_MIN__": "1.17549435082228750796873653722224568e-38F",
    "__FLT_MAX__": "3.40282346638528859811704183484516925e+38F",
    "__FLT_EPSILON__": "1.19209289550781250000000000000000000e-7F",
    "__DBL_MANT_DIG__": "53",
    "__DBL_DIG__": "15",
    "__DBL_MIN__": "2.22507385850720138309023271733240406e-308",
    "__DBL_MAX__": "1.79769313486231570814527423731704357e+308",
    "__DBL_EPSILON__": "2.22044604925031308084726333618164062e-16",
    "__FLT_DENORM_MIN__": "1.40129846432481707092372958328991613e-45F",
    "__FLT_MAX_EXP__": "128",
    "__FLT_MAX_10_EXP__": "38",
    "__FLT_MIN_EXP__": "(-125)",
    "__FLT_MIN_10_EXP__": "(-37)",
    "__DBL_DENORM_MIN__": "4.94065645841246544176568792868221372e-324",
    "__DBL_MAX_EXP__": "1024",
    "__DBL_MAX_10_EXP__": "308",
    "__DBL_MIN_EXP__": "(-1021)",
    "__DBL_MIN_10_EXP__": "(-307)",
    "__LDBL_MANT_DIG__": "64",
    "__LDBL_DIG__": "18",
    "__LDBL_MAX_EXP__": "16384",
    "__LDBL_MIN_EXP__": "(-16381)",
    "__LDBL_MIN__": "3.36210314311209350626267781732175260e-4932L",
    "__LDBL_MAX__": "1.18973149535723176502126385303097021e+4932L",
    "__LDBL_EPSILON__": "1.08420217248550443400745280086994171e-19L",
    **{
        f"__{kind}_HAS_{what}__": "1" for kind in ("FLT", "DBL", "LDBL") for what in ("DENORM", "INFINITY", "QUIET_NAN")
    },
    **{
        f"__GCC_ATOMIC_{kind}_LOCK_FREE": "2"
        for kind in ("BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER")
    },
}

_LP64 = {
    "__x86_64__": "1",
    "__x86_64": "1",
    "__amd64__": "1",
    "__amd64": "1",
    "__LP64__": "1",
    "_LP64": "1",
    "__SIZEOF_LONG__": "8",
    "__SIZEOF_POINTER__": "8",
    "__SIZEOF_SIZE_T__": "8",
    "__SIZEOF_PTRDIFF_T__": "8",
    "__SIZEOF_LONG_DOUBLE__": "16",
    "__SIZEOF_INT128__": "16",
    "__LONG_MAX__": "0x7fffffffffffffffL",
    "__LONG_WIDTH__": "64",
    "__POINTER_WIDTH__": "64",
    "__SIZE_WIDTH__": "64",
    "__PTRDIFF_WIDTH__": "64",
    "__SIZE_TYPE__": "long unsigned int",
    "__PTRDIFF_TYPE__": "long int",
    "__INTPTR_TYPE__": "long int",
    "__UINTPTR_TYPE__": "long unsigned int",
    "__INT64_TYPE__": "long int",
    "__UINT64_TYPE__": "long unsigned int",
    "__INTMAX_TYPE__": "long int",
    "__UINTMAX_TYPE__": "long unsigned int",
    "__SIZE_MAX__": "0xffffffffffffffffUL",
    "__PTRDIFF_MAX__": "0x7fffffffffffffffL",
    "__INTPTR_MAX__": "0x7fffffffffffffffL",
    "__UINTPTR_MAX__": "0xffffffffffffffffUL",
    "__INT64_MAX__": "0x7fffffffffffffffL",
    "__UINT64_MAX__": "0xffffffffffffffffUL",
    "__INTMAX_MAX__": "0x7fffffffffffffffL",
    "__UINTMAX_MAX__": "0xffffffffffffffffUL",
    "__INT64_C(c)": "c ## L",
    "__UINT64_C(c)": "c ## UL",
}

_ILP32 = {
    "__i386__": "1",
    "__i386": "1",
    "__i686__": "1",
    "__ILP32__": "1",
    "_ILP32": "1",
    "__SIZEOF_LONG__": "4",
    "__SIZEOF_POINTER__": "4",
    "__SIZEOF_SIZE_T__": "4",
    "__SIZEOF_PTRDIFF_T__": "4",
    "__SIZEOF_LONG_DOUBLE__": "12",
    "__LONG_MAX__": "0x7fffffffL",
    "__LONG_WIDTH__": "32",
    "__POINTER_WIDTH__": "32",
    "__SIZE_WIDTH__": "32",
    "__PTRDIFF_WIDTH__": "32",
    "__SIZE_TYPE__": "unsigned int",
    "__PTRDIFF_TYPE__": "int",
    "__INTPTR_TYPE__": "int",
    "__UINTPTR_TYPE__": "unsigned int",
    "__INT64_TYPE__": "long long int",
    "__UINT64_TYPE__": "long long unsigned int",
    "__INTMAX_TYPE__": "long long int",
    "__UINTMAX_TYPE__": "long long unsigned int",
    "__SIZE_MAX__": "0xffffffffU",
    "__PTRDIFF_MAX__": "0x7fffffff",
    "__INTPTR_MAX__": "0x7fffffff",
    "__UINTPTR_MAX__": "0xffffffffU",
    "__INT64_MAX__": "0x7fffffffffffffffLL",
    "__UINT64_MAX__": "0xffffffffffffffffULL",
    "__INTMAX_MAX__": "0x7fffffffffffffffLL",
    "__UINTMAX_MAX__": "0xffffffffffffffffULL",
    "__INT64_C(c)": "c ## LL",
    "__UINT64_C(c)": "c ## ULL",
}


WORDS_OF_CBMC = {
    "__CPROVER_bool": "_Bool",
    "__CPROVER_size_t": "__SIZE_TYPE__",
    "__CPROVER_ssize_t": "__PTRDIFF_TYPE__",
    "__CPROVER_overflow_unary_minus(a)": "__builtin_sub_overflow_p(0, a, (__typeof__(-(a)))0)",
    **{
        f"__CPROVER_overflow_{name}(a, b)": f"__builtin_{word}_overflow_p(a, b, (__typeof__((a) {sign} (b)))0)"
        for name, word, sign in (("plus", "add", "+"), ("minus", "sub", "-"), ("mult", "mul", "*"))
    },
    **{
        f"__CPROVER_{test}{kind}": f"__builtin_{test}"
        for test in ("isnan", "isinf", "isfinite", "isnormal")
        for kind in ("", "f", "d", "ld")
    },
}
"""Types and questions about numbers that CBMC knows without a declaration, in the words of compilers."""

_SAME_AS = {
    **{f"INT_LEAST{bits}": f"INT{bits}" for bits in (8, 16, 32, 64)},
    "INT_FAST8": "INT8",
    "INT_FAST16": "INTPTR",
    "INT_FAST32": "INTPTR",
    "INT_FAST64": "INT64",
}
"""Types with at least so many bits, by the type of exactly so many, or of a word, that they are."""


def predefined(layout_bits: Literal[32, 64]) -> Mapping[str, str]:
    """Name (with parameters, if any) to replacement."""
    own = {**_ALWAYS, **(_LP64 if layout_bits == 64 else _ILP32)}
    least_and_fast = {
        f"__{sign}{name}_{what}__": own[f"__{sign}{same}_{what}__"]
        for name, same in _SAME_AS.items()
        for sign in ("", "U")
        for what in ("TYPE", "MAX")
    }
    widths = {
        f"__{name}_WIDTH__": str(int(own[f"__{same}_MAX__"].rstrip("L"), 16).bit_length() + 1)
        for name, same in {
            **_SAME_AS,
            "INTPTR": "INTPTR",
            "INTMAX": "INTMAX",
            "SIG_ATOMIC": "INT",
            "WCHAR": "INT",
        }.items()
    }
    longest = {f"__{sign}INTMAX_C(c)": own[f"__{sign}INT64_C(c)"] for sign in ("", "U")}
    return {**own, **least_and_fast, **widths, **longest, "__WINT_WIDTH__": "32", **WORDS_OF_CBMC}


_ATTRIBUTES = frozenset(
    re.findall(
        r"\w+",
        """
        access alias aligned alloc_align alloc_size always_inline artificial assume_aligned cleanup cold const
        constructor copy deprecated destructor error externally_visible fallthrough flatten format format_arg
        gnu_inline hot ifunc leaf malloc may_alias mode naked no_instrument_function no_reorder no_sanitize
        no_sanitize_address no_sanitize_thread no_sanitize_undefined no_stack_protector noclone nocommon noinline
        noipa nonnull nonstring noreturn nothrow optimize packed patchable_function_entry pure retain
        returns_nonnull returns_twice section sentinel simd symver target tls_model transparent_union unavailable
        unused used vector_size visibility warn_unused_result warning weak weakref
        """,
    )
)
_BUILTINS = frozenset(
    re.findall(
        r"\w+",
        """
        abort abs add_overflow alloca assume_aligned bswap16 bswap32 bswap64 choose_expr clz clzl clzll constant_p
        ctz ctzl ctzll expect expect_with_probability ffs ffsl ffsll frame_address huge_val inf isinf isnan labs
        llabs memcmp memcpy memmove memset mul_overflow nan object_size offsetof parity parityl parityll popcount
        popcountl popcountll prefetch return_address sadd_overflow smul_overflow ssub_overflow strcmp strcpy strlen
        sub_overflow trap types_compatible_p uadd_overflow umul_overflow unreachable usub_overflow va_copy va_end
        va_start
        """,
    )
)


def has_feature(question: str, name: str) -> bool | None:
    """What gcc answers about an attribute or a builtin function, None if that is not known here."""
    if question == "__has_attribute":
        name = name.removeprefix("gnu::")
        return True if name.removeprefix("__").removesuffix("__") in _ATTRIBUTES else None
    if question == "__has_builtin":
        return True if name.startswith("__builtin_") and name.removeprefix("__builtin_") in _BUILTINS else None
    return None
