"""What the figures of the code count, on a small tree."""

from pathlib import Path

from .figures import figures

CODE = """
LIMIT = 3
_SHARES = (0.5, 2)
NAMES = ("a",)

class Step:
    def walk(self, a, b, c, d, e):
        import os
        return self.reason.startswith("time") or self.message == "lost"

def kind_of(edge):
    return edge.kind == "call" or edge.message == ""
"""


def test_joints_of_a_small_tree_are_counted(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(CODE)
    (tmp_path / "other.py").write_text("class Step:\n    pass\n")
    assert figures(tmp_path) == {
        "modules": 2,
        "lines": CODE.count("\n") + 2,
        "modules under 60 lines": 2,
        "functions with 6 or more parameters": 1,
        "functions over 60 lines": 0,
        "class names in two or more modules": 1,
        "lazy imports": 1,
        "numeric constants of modules": 2,
        "sentences compared": 2,
    }
