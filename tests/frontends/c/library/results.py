"""What statements with library functions compute, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.c.lowered_c import result_of

_HEADERS = "#include <stdlib.h>\n#include <string.h>\n#include <alloca.h>\nlong long result;\n"


def result_after(folder: Path, statements: str) -> int:
    """The global variable `result` after the statements."""
    return result_of(folder, f"{_HEADERS}int main(void) {{ {statements} return 0; }}")
