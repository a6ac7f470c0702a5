"""Names that files have for themselves are told apart where they clash."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.semantics.internal_names import internal_names, separate
from pincer.frontends.c.syntax.parse import parse


def test_only_what_clashes_gets_another_name(tmp_path: Path) -> None:
    texts = {
        "a.c": "static int x, own; static int f(int x) { return x + own; }",
        "b.c": "static int x; int f(int); int g(void) { return f(x); }",
        "c/a.c": "static int x(void) { return 1; }",
    }
    units = []
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        units.append(parse(tmp_path / name))
    assert internal_names(units[0].ast) == {"x", "own", "f"}
    made = separate([(unit.file, unit.ast) for unit in units])
    assert made == {"a.f": "f", "a.x": "x", "b.x": "x", "a.x.2": "x"}
    assert internal_names(units[0].ast) == {"a.x", "own", "a.f"}
