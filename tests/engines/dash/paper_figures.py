"""The examples of the paper's second section as C programs."""

from __future__ import annotations

FIG1 = """
typedef struct DE { int lock; int y; } DE;
void prove_me1(DE *p, DE *p1, DE *p2)
{
    p1 = malloc(sizeof(DE)); p1->lock = 0;
    p2 = malloc(sizeof(DE)); p2->lock = 0;
    p->lock = 1;
    if (p1->lock == 1 || p2->lock == 1)
        reach_error();
    p = p1;
    p = p2;
}
int main(void) { DE a, b, c; prove_me1(&a, &b, &c); return 0; }
"""

FIG4 = """
typedef struct DE { int lock; int y; } DE;
void inc(DE *de) { de->y++; }
void prove_me2(DE *de, int x)
{
    de->lock = 0;
    do {
        assert(de->lock == 0);
        de->lock = 1;
        x = de->y;
        if (__VERIFIER_nondet_bool()) {
            de->lock = 0;
            inc(de);
        }
    } while (x != de->y);
}
int main(void) { DE de; prove_me2(&de, __VERIFIER_nondet_int()); return 0; }
"""

FIG8 = """
int inc(int y) { int r; r = y + 1; return r; }
void top(int x)
{
    int a, b;
    a = inc(x);
    b = inc(a);
    if (b != x + 2)
        reach_error();
}
int main(void) { top(__VERIFIER_nondet_int()); return 0; }
"""

FIGURES = {"1": FIG1, "4": FIG4, "8": FIG8}

BROKEN = {
    "1": FIG1.replace("p->lock = 1", "p1->lock = 1"),
    "4": FIG4.replace("inc(de);", "if (x > 7) inc(de);").replace("x != de->y", "x != de->y || x == 9"),
    "8": FIG8.replace("r = y + 1", "r = y + (y == 41 ? 2 : 1)"),
}
"""The same programs with a mistake."""
