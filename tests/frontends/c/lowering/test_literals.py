"""Equal string literals may share memory or not: where that can be seen, both are tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.frontends.c.lowering.unit import CONSTANT_LITERALS_ARE_APART, EQUAL_TEXTS_SHARE, TEXTS_ARE_APART
from pincer.program.control_flow import Input
from pincer.program.property import Assumption
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered

HEAD = "#include <assert.h>\n#include <string.h>\n"


@pytest.mark.parametrize(
    ("statements", "verdict"),
    [
        ('const char *p = "abc", *q = "abc"; assert(p == q);', "unsafe"),
        ('const char *p = "abc", *q = "abc"; assert(p != q);', "unsafe"),
        ('const char *p = "abc", *q = p; assert(p == q);', "safe"),
        ('const char *p = "abc", *q = "abc"; assert(p == p && strcmp(p, q) == 0);', "safe"),
        ('const char *p = "abc", *q = "abd"; assert(p != q);', "safe"),
        ('assert("abc" == "abc");', "unsafe"),
        ('for (int i = 0; i < 2; i++) { const char *p = "abc", *q = 0; if (i) assert(p != q); }', "safe"),
    ],
)
def test_equal_literals_share_memory_or_not(tmp_path: Path, statements: str, verdict: str) -> None:
    program = lowered(tmp_path, f"{HEAD}int main(void) {{ {statements} return 0; }}\n")
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run())
    assert claim.verdict == verdict


def test_where_no_addresses_are_compared_literals_just_share_memory(tmp_path: Path) -> None:
    text = 'int main(void) { const char *p = "abc", *q = "abc"; return p[0] - q[0]; }\n'
    program = lowered(tmp_path, text)
    assert not labels(program, Input) and len([item for item in program.objects if item.read_only]) == 1


@pytest.mark.parametrize(
    "use",
    [
        "return p < q;",
        "char buffer[4]; return p == buffer;",
        "struct s { int i; } x, y, *a = &x, *b = argc ? &x : &y; return a == b;",
        "int number; return sscanf(p, q, &number);",
        "const char **a = &p, **b = argc ? &p : &q; return a == b;",
    ],
)
def test_comparisons_that_no_two_literals_can_meet_do_not_count(tmp_path: Path, use: str) -> None:
    text = f'#include <stdio.h>\nint main(int argc, char **argv) {{ const char *p = "%d", *q = "%d"; {use} }}\n'
    found = labels(lowered(tmp_path, text), Input)
    assert not [label for label in found if "literals" in label.source]


def test_static_objects_share_memory(tmp_path: Path) -> None:
    text = 'static const char *p = "abc", *q = "abc"; int main(void) { return p == q; }\n'
    assert not labels(lowered(tmp_path, text), Input)


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ('const char *p = "abc", *q = "abc"; int main(void) { return p == q; }', [EQUAL_TEXTS_SHARE]),
        ('const char *p = "abc"; int main(void) { return p == "abc"; }', [EQUAL_TEXTS_SHARE]),
        ('const char *p = "abc", *q = "bc"; int main(void) { return p + 1 == q; }', [TEXTS_ARE_APART]),
        ('const char *p = "abc", *q = "abd"; int main(void) { return p == q; }', []),
        ('const char *p = "abc", *q = "abc"; int main(void) { return *p == *q; }', []),
    ],
)
def test_what_is_assumed_of_static_literals_is_listed_where_it_can_be_seen(
    tmp_path: Path, text: str, assumed: list[Assumption]
) -> None:
    assert [one for one in lowered(tmp_path, text).assumptions if "literal" in one.text] == assumed


@pytest.mark.parametrize(
    ("literals", "is_open"),
    [
        ("const int *p = (const int[]){1, 2}, *q = (const int[]){1, 2};", True),
        ('const char *p = (const char[]){"abc"}, *q = "abc";', True),
        ("const int *p = &(const int){1}, *q = &(const int){1};", True),
        ("int *p = (int[]){1, 2}, *q = (int[]){1, 2};", False),
        ("const int *p = (const int[]){1, 2}, *q = p + 1;", False),
    ],
)
def test_compound_literals_of_constant_type_may_share_memory(tmp_path: Path, literals: str, is_open: bool) -> None:
    program = lowered(tmp_path, f"int main(void) {{ {literals} return p != q; }}\n")
    assert (CONSTANT_LITERALS_ARE_APART in program.assumptions) is is_open
    assert "assertions" in CONSTANT_LITERALS_ARE_APART.leaves_open
