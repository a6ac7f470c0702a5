"""What procedures may change, through calls and recursion."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.program.effects import ProcedureEffects, effects

PROGRAM = """\
void *malloc(unsigned long);
void free(void *);
int a, b, c, *p;
int read_only(void) { return a; }
void sets_a(void) { a = 1; }
void stores(int *q) { *q = 1; }
void makes(void) { p = malloc(4); }
void ends(void *q) { free(q); }
void odd(int n);
void even(int n) { b = n; if (n) odd(n - 1); }
void odd(int n) { c = n; if (n) even(n - 1); }
int main(void) { sets_a(); stores(&b); makes(); ends(p); even(3); return read_only(); }
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ProcedureEffects]:
    file = tmp_path_factory.mktemp("effects") / "p.c"
    file.write_text(PROGRAM.replace("stores(&b)", "stores(p)"), encoding="utf-8")
    return dict(effects(load(Path(file))))


@pytest.mark.parametrize(
    ("name", "registers", "writes", "objects"),
    [
        ("read_only", set(), False, False),
        ("sets_a", {"a"}, False, False),
        ("stores", set(), True, False),
        ("makes", {"p", "$top"}, True, True),
        ("ends", set(), False, True),
        ("even", {"b", "c"}, False, False),
        ("odd", {"b", "c"}, False, False),
        ("main", {"a", "b", "c", "p", "$top"}, True, True),
    ],
)
def test_effects(
    found: dict[str, ProcedureEffects], name: str, registers: set[str], writes: bool, objects: bool
) -> None:
    own = found[name]
    assert ({str(register) for register in own.registers}, own.writes, own.objects) == (registers, writes, objects)
