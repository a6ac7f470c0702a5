"""Memory that one activation knows, and what is constant in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.own_memory import OwnMemory, constants_of
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram, Store
from pincer.program.registers import Role, has_role

HEAD = "int n; int *kept; static void use(int *p) { n = *p; }\n"


def loaded(folder: Path, body: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    return load(file)


@pytest.mark.parametrize(
    ("body", "own"),
    [
        ("volatile int a[2]; a[1] = 1; n = a[1];", True),
        ("int a = 1; use(&a);", False),
        ("int a = 1; kept = &a;", False),
    ],
)
def test_an_object_is_own_while_its_address_stays(body: str, own: bool, tmp_path: Path) -> None:
    program = loaded(tmp_path, body)
    known = OwnMemory(program)
    first = next(
        e for e in program.procedures["main"].edges if isinstance(e.label, Store) and e.label.address.op == "bvconst"
    )
    assert isinstance(first.label, Store)
    assert (known.own(first.label.address) is not None) is own


def test_constants_in_own_memory_meet(tmp_path: Path) -> None:
    program = loaded(tmp_path, "volatile int a[1]; a[0] = 4; while (n) a[0] = 4; a[0] = n ? 1 : a[0];")
    main = program.procedures["main"]
    found = constants_of(main, {}, OwnMemory(program))
    words = {value.args[0] for known in found.values() for term, value in known.items() if term.op == "load"}
    assert words == {4}
    assert not any(has_role(term, Role.TOP) for known in found.values() for term in known)
