"""The C library functions that programs may call: how many arguments each takes, and whether it writes memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """`most` is None where any number of arguments may follow."""

    least: int
    most: int | None
    writes: bool = False


LIBRARY = {
    "printf": Signature(1, None),
    "puts": Signature(1, 1),
    "putchar": Signature(1, 1),
    "strlen": Signature(1, 1),
    "strcmp": Signature(2, 2),
    "strcpy": Signature(2, 2, writes=True),
    "malloc": Signature(1, 1),
    "free": Signature(1, 1, writes=True),
    "abs": Signature(1, 1),
    "labs": Signature(1, 1),
    "fabs": Signature(1, 1),
    "sqrt": Signature(1, 1),
}
