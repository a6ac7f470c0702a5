"""Where a rule takes hold of a C program: handler procedures that run around calls and inside functions."""

from __future__ import annotations

from msgspec import Struct


class Hook(Struct, frozen=True):
    """Names of the handler procedures for one function of the program; a handler returns nothing.

    `before` runs in the caller before each call, direct or through a pointer, and gets the call's arguments; `after`
    runs when the call has returned and gets the arguments and then the result (if any). `on_entry` runs first in the
    function's body and gets its parameters; `on_return` runs when the function returns and gets the parameters, as
    they are then, and then the returned value (if any). A function without a body has calls but no entry and return.

    Values are passed by position and converted to the handler's parameter types as by a cast. A handler may have fewer
    parameters than there are values: it then gets the first ones. Inside handlers no hook applies.
    """

    before: str | None = None
    after: str | None = None
    on_entry: str | None = None
    on_return: str | None = None
