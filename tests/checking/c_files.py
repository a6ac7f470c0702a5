"""A small C program with the files of its properties, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

PROGRAM = """\
#include <assert.h>
int *lookup(int);
void acquire(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    acquire();
    assert(x != 3);
    *lookup(x) = 10 / x;
    if (x > 3)
        reach_error();
    return 0;
}
"""
RULE = """\
rule Once "acquire is called once";
state bool taken = 0;
on call acquire before {
    assert !taken "acquire is called twice";
    taken = 1;
}
"""
UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
MEMSAFETY = "".join(f"CHECK( init(main()), LTL(G {part}) )\n" for part in ("valid-free", "valid-deref"))


def write_files() -> None:
    """Put the program, a rule and two specifications into the current folder."""
    Path("p.c").write_text(PROGRAM, encoding="utf-8")
    Path("once.rule").write_text(RULE, encoding="utf-8")
    Path("unreach-call.prp").write_text(UNREACH, encoding="utf-8")
    Path("safe.prp").write_text(MEMSAFETY, encoding="utf-8")
