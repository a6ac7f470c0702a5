"""All known functions: each stands in one table."""

from __future__ import annotations

from pincer.frontends.c.library import (
    atomics,
    compiler,
    ctype,
    externals,
    inputs,
    klee,
    math,
    objects,
    printing,
    reading,
    scanning,
    setjmp,
    signals,
    stdio,
    stdlib,
    string,
    threads,
)
from pincer.frontends.c.library import verifier as words
from pincer.frontends.c.library.functions import FUNCTIONS, RESULTS, UNMODELLED


def test_no_name_stands_in_two_tables() -> None:
    modules = (
        atomics,
        compiler,
        externals,
        ctype,
        inputs,
        klee,
        math,
        objects,
        printing,
        reading,
        setjmp,
        signals,
        scanning,
        stdio,
        stdlib,
        string,
        threads,
        words,
    )
    tables = [module.FUNCTIONS for module in modules]
    names = [name for table in tables for name in table] + list(UNMODELLED)
    assert len(names) == len(set(names)) == len(FUNCTIONS)
    assert RESULTS.keys() <= FUNCTIONS.keys()
