"""Pincer: decide whether a program can go wrong, and leave evidence either way.

`pincer.check` and `pincer.check_text` are the way in from Python; `docs/api.md` tells about them and about the building
blocks below. Importing this package loads nothing else until it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincer.api import Answer, Drawing, Options, Progress, Result, Run, check, check_text, show
    from pincer.errors import PincerError, Position, UnsupportedError

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Drawing",
    "Options",
    "PincerError",
    "Position",
    "Progress",
    "Result",
    "Run",
    "UnsupportedError",
    "__version__",
    "check",
    "check_text",
    "show",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pincer' has no attribute {name!r}")
    errors = ("PincerError", "Position", "UnsupportedError")
    return getattr(import_module("pincer.errors" if name in errors else "pincer.api"), name)
