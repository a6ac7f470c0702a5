"""The types of what the compiler and the verifier offer without a declaration, or whatever their declaration says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pincer.frontends.c.semantics.basic_types import basic_type
from pincer.frontends.c.semantics.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG_LONG,
    UNSIGNED_INT,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    CType,
    Pointer,
    Target,
    plain,
)

Rule: TypeAlias = CType | Callable[[Target, Sequence[CType]], CType]
_KINDS = {
    "bool": "_Bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "short": "short",
    "ushort": "unsigned short", "int": "int", "uint": "unsigned int", "unsigned": "unsigned int", "long": "long",
    "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long", "u8": "unsigned char",
    "u16": "unsigned short", "u32": "unsigned int", "U8": "unsigned char", "U16": "unsigned short",
    "U32": "unsigned int", "float": "float", "double": "double", "loff_t": "long", "sector_t": "unsigned long",
    "size_t": "unsigned long", "pthread_t": "unsigned long",
}  # fmt: skip
_POINTERS = [
    "malloc",
    "kmalloc",
    "vmalloc",
    "ldv_malloc",
    "xmalloc",
    "aligned_alloc",
    "memalign",
    "valloc",
    "kzalloc",
    "vzalloc",
    "ldv_zalloc",
    "xzalloc",
    "calloc",
    "kcalloc",
    "xcalloc",
    "realloc",
    "krealloc",
    "xrealloc",
    "alloca",
    "alloca_with_align",
    "memcpy",
    "mempcpy",
    "memmove",
    "memset",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
]
_NOTHING = [
    "__pincer_assert",
    "__pincer_assert_message",
    "__VERIFIER_assume",
    "assume_abort_if_not",
    "__builtin_assume",
    "va_end",
    "__builtin_va_end",
    "free",
    "kfree",
    "vfree",
    "cfree",
    "__builtin_free",
    "ldv_free",
    "__must_be_apart",
    "__atomic_store_n",
    "__c11_atomic_store",
    "__c11_atomic_init",
    "__atomic_load",
    "__atomic_store",
    "__atomic_exchange",
    "__sync_lock_release",
    "__atomic_clear",
    "__sync_synchronize",
    "__atomic_thread_fence",
    "__atomic_signal_fence",
]
_INTS = [
    "__builtin_constant_p",
    "pthread_once",
    "scanf",
    "fscanf",
    "sscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "__sync_bool_compare_and_swap",
    "__atomic_compare_exchange_n",
    "__atomic_compare_exchange",
]
_FETCHED = re.compile(
    r"__(?:sync|atomic)_(?:(?:fetch_and_|fetch_)(?:add|sub|and|or|xor|nand)|(?:add|sub|and|or|xor|nand)(?:_and)?_fetch)(?:_\d+)?"
)
_COUNTED = re.compile(r"__builtin_(?:popcount|parity|clz|ctz|ffs)l{0,2}|__builtin_\w+_overflow(?:_p)?")


def _object(target: Target, arguments: Sequence[CType]) -> CType:
    """The type of what the first argument points to, if it can be changed in one step."""
    first = arguments[0] if arguments else VOID
    found = first.target if isinstance(first, Pointer) else VOID
    return plain(found) if isinstance(first, Pointer) and target.size(found) in (1, 2, 4, 8) else INT


def _first(target: Target, arguments: Sequence[CType]) -> CType:
    return arguments[0] if arguments else INT


_RESULTS: Mapping[str, Rule] = {
    **dict.fromkeys(_POINTERS, Pointer(VOID)),
    **dict.fromkeys((f"__builtin_{name}" for name in _POINTERS), Pointer(VOID)),
    **dict.fromkeys((f"__builtin_{name}" for name in ("__memcpy_chk", "__memmove_chk", "__memset_chk")), Pointer(VOID)),
    **dict.fromkeys(_NOTHING, VOID),
    **dict.fromkeys(_INTS, INT),
    **dict.fromkeys(("__builtin_huge_val", "__builtin_inf", "__builtin_nan"), DOUBLE),
    **dict.fromkeys(("__builtin_huge_valf", "__builtin_inff", "__builtin_nanf"), FLOAT),
    "__builtin_expect": lambda target, _: target.long,
    "__builtin_expect_with_probability": lambda target, _: target.long,
    "__builtin_assume_aligned": _first,
    "__builtin_object_size": lambda target, _: target.size_type,
    "__builtin_dynamic_object_size": lambda target, _: target.size_type,
    "__atomic_load_n": _object,
    "__c11_atomic_load": _object,
    "__atomic_exchange_n": _object,
    "__sync_lock_test_and_set": _object,
    "__sync_swap": _object,
    "__sync_val_compare_and_swap": _object,
    "__atomic_test_and_set": BOOL,
    "__builtin_bswap16": UNSIGNED_SHORT,
    "__builtin_bswap32": UNSIGNED_INT,
    "__builtin_bswap64": UNSIGNED_LONG_LONG,
    "abs": INT, "__builtin_abs": INT,
    "llabs": LONG_LONG, "__builtin_llabs": LONG_LONG,
    "labs": lambda target, _: target.long,
    "__builtin_labs": lambda target, _: target.long,
}  # fmt: skip


def result_type(name: str, declared: CType, is_declared: bool, target: Target, arguments: Sequence[CType]) -> CType:
    """The type of a call of a function without a body in the program: its own, or what its declaration says."""
    rule = _RESULTS.get(name)
    if rule is not None:
        return rule(target, arguments) if callable(rule) else rule
    if name.startswith("__VERIFIER_nondet") or name == "__SMACK_nondet":
        return declared if is_declared else _by_name(name.removeprefix("__VERIFIER_nondet").strip("_"), target)
    if _FETCHED.fullmatch(name):
        return _object(target, arguments)
    return INT if _COUNTED.fullmatch(name) else declared


def _by_name(kind: str, target: Target) -> CType:
    """The type of an input by its function's name, for programs that do not declare it."""
    if kind in ("pointer", "pchar", "charp"):
        return Pointer(VOID)
    return basic_type(_KINDS.get(kind, kind.replace("_", " ")).split(), target) or INT
