"""All functions that are known without a body in the program, and what lowers a call of each."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.frontends.c.library import allocation, atomics, blocks, builtins, input_output, machine, threads, unmodelled
from pincer.frontends.c.lowering.calls import Handler

FUNCTIONS: Mapping[str, Handler] = {
    **allocation.FUNCTIONS,
    **atomics.FUNCTIONS,
    **blocks.FUNCTIONS,
    **builtins.FUNCTIONS,
    **input_output.FUNCTIONS,
    **machine.FUNCTIONS,
    **threads.FUNCTIONS,
    **unmodelled.FUNCTIONS,
}
"""A name that ends in `*` stands for all names that begin so."""

OVERRIDING = builtins.OVERRIDING
"""These count even when the program has a body for them."""
