"""Proofs by cut points against tests: may the checker accept facts about a program that some input breaks?

Programs fill, change and ask about a buffer whose length is an input, or build, walk and free a list. Random runs tell
which of them go wrong. For these every guess that no test at a cut point refutes is put into one proof, range facts
among them, though nobody has proved any: the checker must refuse it. For programs that no run breaks it is counted how
many are proved.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from pincer.engines.board import Board, Holds
from pincer.engines.cutpoints.buffer_facts import buffer_candidates, nullable_candidates
from pincer.engines.cutpoints.candidates import numeric_candidates
from pincer.engines.cutpoints.contents import cell_candidates, content_candidates
from pincer.engines.cutpoints.node_facts import node_candidates
from pincer.engines.cutpoints.strategy import CutPoints
from pincer.engines.cutpoints.view import view_of
from pincer.engines.portfolio import Allowance
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.frontends.c.load import load
from pincer.logic.terms import FALSE, TRUE, Term
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run

RUNS = 400
FACTS = 60
CALLS = 20_000
KINDS: tuple[SequentialKind, ...] = ("memory", "assertions")
FAILING = {"memory": "check", "assertions": "fail"}

_HEAD = """#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
"""


def program_text(seed: int) -> str:
    """A program with one or two loops over a buffer and a question about one of its cells."""
    rng = Random(seed)
    kind, size = rng.choice((("unsigned char", 1), ("unsigned", 4), ("unsigned short", 2)))
    value = rng.choice(("7", "(i & 3)", "i", "__VERIFIER_nondet_uchar()"))
    index = rng.choice(("i", "i", "i", "n - 1 - i", "i / 2", "i + 1"))
    extra = rng.choice(
        (
            "", "", "", "if (i) a[i - 1] = 7;", "a[0] = 7;", "((unsigned char *)a)[i] = 7;",
            f"((unsigned char *)a)[{size} * i + {size - 1}] = 0;", "*(a + n - 1) = 7;", "b[i % 2] = 1;",
        )
    )  # fmt: skip
    second = rng.choice(
        (
            "",
            "for (unsigned i = 0; i < n; i++) if (a[i] > 7) a[i] = 7;",
            "for (unsigned i = 0; i + 1 < n; i++) a[i] = a[i + 1];",
            "unsigned i = 0; while (i < n && a[i] != 7) i++;",
            "for (unsigned i = n; i > 0; i--) a[i - 1] = 7;",
        )
    )
    asked = rng.choice(("a[k] == 7", "a[k] <= 7", "a[k] == a[0]", "a[k] != 8", "a[k] <= k"))
    start, end = rng.choice((("0", "i < n"), ("0", "i <= n"), ("1", "i < n"), ("0", "i + 1 < n")))
    fill = f"for (unsigned i = 0; i < n; i++) a[i] = {rng.choice(('7', '0'))};" if rng.random() < 0.5 else ""
    return f"""{_HEAD}
int main(void) {{
    unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    {kind} *a = calloc(n, sizeof *a), *b = calloc(2, sizeof *b);
    if (!a || !b) return 0;
    {fill}
    for (unsigned i = {start}; {end}; i++) {{ a[{index}] = {value}; {extra} }}
    {second}
    if (k < n && !({asked})) reach_error();
    return 0;
}}
"""


def list_text(seed: int) -> str:
    """A program that builds a list, walks it with a question about its nodes, and frees it: mostly rightly."""
    rng = Random(seed)
    fields = rng.choice(("struct node *next; unsigned v;", "unsigned v; struct node *next;"))
    value = rng.choice(("7", "7", "__VERIFIER_nondet_uchar()", "n & 3"))
    joined = rng.choice(
        (
            "x->next = h; h = x;", "x->next = h; h = x;", "x->next = 0; if (t) t->next = x; else h = x; t = x;",
            "if (n != 3) x->next = h; h = x;", "x->next = n == 5 ? x : h; h = x;",
            "if (t) t->next = x; else h = x; t = x;",
        )
    )  # fmt: skip
    before = rng.choice(("", "", "char *other = malloc(5); if (!other) return 0; other[2] = 1;"))
    asked = rng.choice(("p->v == 7", "p->v <= 255", "p->v < 4", "p->v != 9"))
    ended = rng.choice(
        (
            "", "while (h) { struct node *y = h->next; free(h); h = y; }",
            "while (h) { struct node *y = h; h = h->next; free(y); }", "while (h) { free(h); h = h->next; }",
            "while (h) { struct node *y = h->next; free(h); h = y; if (h == t) free(t); }",
        )
    )  # fmt: skip
    return f"""{_HEAD}
struct node {{ {fields} }};
int main(void) {{
    {before}
    struct node *h = 0, *t = 0;
    for (unsigned n = 0; __VERIFIER_nondet_uchar() > 2; n++) {{
        struct node *x = malloc({rng.choice(("sizeof *x", "sizeof *x", "sizeof *x", "12"))});
        if (!x) return 0;
        x->v = {value};
        {joined}
    }}
    for (struct node *p = h; p; p = p->next) if (!({asked})) reach_error();
    {ended}
    return 0;
}}
"""


def failures(program: ControlFlowProgram) -> set[str]:
    """How random runs end that go wrong."""
    found: set[str] = set()
    for seed in range(RUNS):
        rng = Random(seed)

        def draw(label: Input, symbol: Term, rng: Random = rng) -> int:
            return rng.choice((0, 1, 2, 3, 4, rng.randint(0, 9), rng.randint(0, 255)))

        tester = Tester(World(program, draw, concrete=True), None)
        found.add(tester.run(tester.root(), 20_000)[1].kind)
    return found & {"check", "fail"}


def accepts(program: ControlFlowProgram, kind: SequentialKind, proof: CutPointProof) -> bool:
    certificate = ProofCertificate(program.file, "", "LP64", "main", kind, "1", cuts=proof)
    return check_proof(program, certificate, Budget(60.0, 0.5, 2.0)).accepted


def unproved(program: ControlFlowProgram) -> CutPointProof:
    """Whatever no test refutes at loop heads, without any proof."""
    main = program.procedures["main"]
    view = view_of(program, main, frozenset((main.entry, *main.loop_heads)), {}, Run())
    points = []
    for head in sorted(main.loop_heads):
        sources = (content_candidates, cell_candidates, buffer_candidates, nullable_candidates, node_candidates,
                   numeric_candidates)  # fmt: skip
        guesses = dict.fromkeys(guess for source in sources for guess in source(view, head))
        kept = [guess for guess in guesses if guess not in (TRUE, FALSE) and view.holds(guess, head)]
        points.append(CutPoint((), head, tuple(kept[:FACTS])))
    return CutPointProof(tuple(points))


def judged(seed: int, folder: Path, counts: Counter[str], text: Callable[[int], str] = program_text) -> list[str]:
    """What the checker accepts of one program although a run breaks it."""
    file = folder / f"program{seed}.c"
    file.write_text(text(seed), encoding="utf-8")
    program = load(file)
    broken = failures(program)
    wrong = []
    for kind in KINDS:
        if kind == "assertions" and "check" in broken:
            continue
        found = CutPoints(Board(program, kind, Run())).step(Allowance(0, CALLS))
        proved = isinstance(found, Holds) and isinstance(found.execution, CutPointProof)
        counts[f"{kind} {'wrong' if FAILING[kind] in broken else 'right'}{', proved' if proved else ''}"] += 1
        if FAILING[kind] in broken:
            proofs = [unproved(program)]
            if isinstance(found, Holds) and isinstance(found.execution, CutPointProof):
                proofs.append(found.execution)
            wrong += [f"seed {seed}, {kind}" for proof in proofs if accepts(program, kind, proof)]
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--lists", action="store_true", help="programs with lists instead of buffers")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            wrong += judged(seed, Path(folder), counts, list_text if options.lists else program_text)
            print(seed, dict(counts), *wrong, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
