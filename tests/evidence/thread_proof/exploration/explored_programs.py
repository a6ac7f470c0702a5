"""Small programs with threads, read and explored."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.exploration.asked import ConditionQuestions
from pincer.evidence.thread_proof.exploration.moves import Moves
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.steps import Steps
from pincer.evidence.thread_proof.exploration.values import TermValues
from pincer.evidence.thread_proof.explore import Exploring, ThreadExplorer
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import CProgramProperty, instrumented
from pincer.program.passes.assertions import Assertions
from pincer.program.passes.memory import MemorySafety
from pincer.program.passes.threads import Deadlocks, Races
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

HEADER = """
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
MEANINGS: dict[PropertyKind, CProgramProperty] = {
    "assertions": Assertions(), "race": Races(), "deadlock": Deadlocks(), "memory": MemorySafety(),
}  # fmt: skip


def program_of(text: str, kind: PropertyKind = "assertions") -> ControlFlowProgram:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(HEADER + text)
        return read(path, kind)


def read(path: Path, kind: PropertyKind) -> ControlFlowProgram:
    """A program in a file, as a property sees it."""
    return instrumented(load(path), MEANINGS[kind])


def explorer_of(
    program: ControlFlowProgram, kind: PropertyKind, spurious: bool = False, most: int = 200_000
) -> ThreadExplorer:
    script, run = Script(), Run()
    asking = Asking(script, Budget(), run)
    return ThreadExplorer(Exploring(program, kind, spurious, most), script, asking.has_no_model, run.poll)


def explored(text: str, kind: PropertyKind = "assertions", spurious: bool = False) -> str:
    """What comes of exploring a program: nothing if all is well."""
    try:
        explorer_of(program_of(text, kind), kind, spurious).explore()
    except ExplorationRefused as refused:
        return f"refused: {refused}"
    except Unexplored as limit:
        return f"unexplored: {limit}"
    return ""


def moves_of(program: ControlFlowProgram) -> Moves:
    """What takes the moves of a program's threads."""
    script, run = Script(), Run()
    slots = RegisterSlots(ProgramFacts(program, "assertions"))
    conditions = ConditionQuestions(script, Asking(script, Budget(), run).has_no_model, program.layout.slot)
    return Moves(Steps(slots, TermValues(slots, script), conditions), conditions, True, False)


def two(first: str, second: str, shared: str = "int x, y;", after: str = "") -> str:
    """A program in which main starts two threads, waits for both, and does something after that."""
    return f"""
{shared}
void *first(void *a) {{ {first} return 0; }}
void *second(void *a) {{ {second} return 0; }}
int main(void) {{
  pthread_t s, t;
  pthread_create(&s, 0, first, 0); pthread_create(&t, 0, second, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  {after}
  return 0;
}}
"""
