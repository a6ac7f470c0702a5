"""How programs with dynamic objects end, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.c.lowered_c import outcome

STDLIB = "#include <stdlib.h>\n#include <alloca.h>\n"


def kind_of(folder: Path, body: str, before: str = "", **options: object) -> str:
    return outcome(folder, f"{STDLIB}{before}\nint main(void) {{ {body} return 0; }}", **options).stop.kind
