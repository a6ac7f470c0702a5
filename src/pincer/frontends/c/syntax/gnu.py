"""How GNU C spells and extends the language: keywords, and attributes that change what a program means."""

from __future__ import annotations

from collections.abc import Mapping

# Spelling -> (token type of pycparser's grammar or of `grammar`, canonical spelling).
_ALTERNATE: dict[str, tuple[str, ...]] = {
    "const": ("__const", "__const__"),
    "volatile": ("__volatile", "__volatile__"),
    "restrict": ("__restrict", "__restrict__"),
    "signed": ("__signed", "__signed__"),
    "inline": ("__inline", "__inline__"),
    "_Thread_local": ("__thread", "thread_local"),
    "_Alignas": ("alignas",),
    "_Alignof": ("alignof",),
    "_Complex": ("__complex__", "__complex"),
}

_STANDARD = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool "
    "_Complex _Generic _Noreturn _Thread_local _Static_assert _Atomic _Alignof _Alignas constexpr"
)

# Type names beyond the standard ones: any simple specifier's token type will do, the spelling tells them apart.
_TYPE_NAMES = (
    "__int128 __int128_t __uint128_t __float128 __float80 _Float16 _Float32 _Float64 _Float128 _Float32x _Float64x "
    "__bf16 __builtin_va_list _Decimal32 _Decimal64 _Decimal128"
)

_EXTENSIONS = {
    "typeof": "TYPEOF",
    "typeof_unqual": "TYPEOF",
    "__typeof_unqual__": "TYPEOF",
    "_BitInt": "_BITINT",
    "__typeof": "TYPEOF",
    "__typeof__": "TYPEOF",
    "asm": "ASM",
    "__asm": "ASM",
    "__asm__": "ASM",
    "__label__": "LABEL_DECLARATION",
    "__real__": "REAL",
    "__real": "REAL",
    "__imag__": "REAL",
    "__imag": "REAL",
    "__builtin_offsetof": "OFFSETOF",
    "__builtin_types_compatible_p": "TYPES_COMPATIBLE",
    "__builtin_va_arg": "__BUILTIN_VA_ARG",
    "__auto_type": "AUTO",
}

ATTRIBUTE_WORDS = frozenset(("__attribute__", "__attribute"))
IGNORED_WORDS = frozenset(("__extension__",))

# Attributes kept in the tree. All others (unused, nothrow, pure, format, section, ...) change nothing that a verifier
# of the source sees. `noreturn` is not kept either: it ends up in `TranslationUnit.noreturn`.
MEANINGFUL = frozenset(
    (
        "alias",
        "aligned",
        "cleanup",
        "constructor",
        "destructor",
        "ext_vector_type",
        "gnu_inline",
        "ifunc",
        "mode",
        "ms_struct",
        "packed",
        "returns_twice",
        "scalar_storage_order",
        "transparent_union",
        "vector_size",
        "weak",
        "weakref",
    )
)
KEPT = MEANINGFUL | {"noreturn"}


def _keywords() -> dict[str, tuple[str, str]]:
    table = {word: (word.upper(), word) for word in _STANDARD.split()}
    for canonical, spellings in _ALTERNATE.items():
        table.update(dict.fromkeys(spellings, table[canonical]))
    table.update({name: ("__INT128", name) for name in _TYPE_NAMES.split()})
    table.update(dict.fromkeys(("__alignof__", "__alignof"), ("_ALIGNOF", "__alignof__")))
    table.update({spelling: (kind, spelling) for spelling, kind in _EXTENSIONS.items()})
    return table


KEYWORDS: Mapping[str, tuple[str, str]] = _keywords()


def plain(name: str) -> str:
    """An attribute's name without the underscores that keep it apart from macros: `__packed__` is `packed`."""
    if name.startswith("__") and name.endswith("__") and len(name) > 4:
        return name[2:-2]
    return name
