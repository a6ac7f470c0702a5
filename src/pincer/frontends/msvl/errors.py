"""Mistakes in an MSVL text, told apart by the stage that notices them."""

from __future__ import annotations

from typing import NoReturn

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.gcl.source import Source


class MsvlSyntaxError(PincerError):
    """The text is not MSVL: a token, a statement or an expression stands where it cannot."""


class StaticError(PincerError):
    """The text reads well but breaks a rule that needs no execution: names, calls, types, places of `return`."""


def syntax_error(source: Source, at: int, message: str) -> MsvlSyntaxError:
    position = source.position(at)
    return MsvlSyntaxError(message, position, source.line(position.line))


def static_error(source: Source, at: int, message: str) -> NoReturn:
    position = source.position(at)
    raise StaticError(message, position, source.line(position.line))


def unsupported(source: Source, at: int, message: str) -> UnsupportedError:
    position = source.position(at)
    return UnsupportedError(message, position, source.line(position.line))
