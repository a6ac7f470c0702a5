"""What a file offers to others, and what it needs of them."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.exports import exports
from pincer.program.c_file import CFile, CFlags


def test_linkage_decides_what_others_see(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "extern int used, unused; static int own; int shared, tentative[SIZE]; int f(void); static int g(void);\n"
        "static int h(void) { return f() + g() + used + own; }\nint main(void) { return h(); }\n"
    )
    found = exports(CFile(str(file), CFlags(macros=(("SIZE", "3"),))))
    assert found.functions == {"h", "main"}
    assert found.defined == {"shared", "tentative", "main"}
    assert found.needed == {"f", "used"}
