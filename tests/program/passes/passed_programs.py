"""A C program as a property sees it, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.load import load
from pincer.program.control_flow import Check, ControlFlowProgram, Fail
from pincer.program.passes import CProgramProperty, instrumented

FAILING = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 3);
    if (x == 4) reach_error();
    if (x == 5) goto ERROR;
    __pincer_assert_message(x != 6, "kept");
    return 10 / x;
ERROR:
    return 0;
}
"""


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "p.c"
    file.write_text(text, encoding="utf-8")
    return load(file)


def seen_by(folder: Path, text: str, wanted: CProgramProperty) -> ControlFlowProgram:
    return instrumented(lowered(folder, text), wanted)


def failures(program: ControlFlowProgram) -> set[str]:
    return {edge.label.message for edge in program.edges() if isinstance(edge.label, Fail)}


def checks(program: ControlFlowProgram) -> set[str]:
    return {edge.label.kind for edge in program.edges() if isinstance(edge.label, Check)}
