"""What other threads could notice of a step."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.accesses import accesses
from tests.analysis.threaded_programs import analysed, edges_at, two_threads

SHARED = """
struct S { int x, y; } s, t;
int *p, big[4000], other[4000];
void *memcpy(void *, const void *, unsigned long);
"""


@pytest.mark.parametrize(
    ("code", "reads", "writes"),
    [
        ("g = 1;", set(), {"g"}),
        ("s.x = g;", {"g"}, {"s+0"}),
        ("p = &s.y; *p = 2;", {"p"}, {"p", "s+4"}),
        ("memcpy(big, other, 16000);", {"other+0"}, {"big+0"}),
        ("int local = 3; local++;", set(), set()),
        ("p = malloc(4); free(p);", {"p"}, {"p", "heap"}),
        ("pthread_join(pthread_self(), (void **)&p);", set(), {"p+0"}),
    ],
)
def test_reads_and_writes(tmp_path: Path, code: str, reads: set[str], writes: set[str]) -> None:
    text = two_threads(f"\n{code} /* HERE */\n", "", SHARED)
    facts = analysed(tmp_path, text)
    found: dict[bool, set[str]] = {False: set(), True: set()}
    for edge in edges_at(facts, text, "HERE"):
        for access in accesses(edge, facts.pointers):
            if access.register is not None:
                found[access.write].add(str(access.register))
            for region in access.regions:
                target = region.pointer.object
                name = "heap" if target.kind == "allocated" else f"{target.name}+{region.pointer.offset}"
                found[access.write].add(name)
    assert (found[False], found[True]) == (reads, writes)


MARKS = ("X *", "Y *", "BOTH")


def test_accesses_touch_where_they_may_share_a_byte(tmp_path: Path) -> None:
    text = two_threads("\ns.x = 1; /* X */\ns.y = 1; /* Y */\nt = s; /* BOTH */\n", "", SHARED)
    facts = analysed(tmp_path, text)
    found = {mark: [a for e in edges_at(facts, text, mark) for a in accesses(e, facts.pointers)] for mark in MARKS}
    (x,), (y,), reads = (*found.values(),)
    reads = [access for access in reads if not access.write]
    assert not x.touches(y) and x.touches(x)
    assert any(read.touches(x) for read in reads) and any(read.touches(y) for read in reads)
