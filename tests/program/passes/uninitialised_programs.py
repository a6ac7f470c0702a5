"""Small programs that decide something by a value that nobody gave, and others that look as if they did."""

from __future__ import annotations

HEAD = """\
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct pair { char c; int i; };
struct bits { unsigned a : 3, b : 5; };
union both { int i; char c[4]; };
"""

MISTAKES = {
    "what a comparison gives": "int main(void) { int x, c = x > 3; return c == 1 ? 1 : 0; }",
    "what comparisons give, later": """
        int main(void) { int x, y = 2, c = (x == 3) * (y < 9); c += 1; if (c == 2) return 1; return 0; }""",
    "which operand gives the value": "int main(void) { int x, y = 2, c = y < 9 && x == 3; return c - c; }",
    "a choice where another one leads": """
        int main(void) { int x, y = __VERIFIER_nondet_int(), c = y == 4 ? (x ? 1 : 2) : 3; return c - c; }""",
    "a multiple": "int main(void) { int x, y = x * 6; return y == 8 ? 1 : 0; }",
    "a local": "int main(void) { int x; if (x) return 1; return 0; }",
    "one way leaves it": """
        int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; while (x < 3) x++; return 0; }""",
    "a loop that may not run": """
        int main(void) {
            int n = __VERIFIER_nondet_int(), last;
            for (int i = 0; i < n && i < 5; i++) last = i;
            return last > 2 ? 1 : 0;
        }""",
    "computed with": "int main(void) { int x; int y = x * 2 + 1; return y > 3 ? 1 : 0; }",
    "through a call": "int f(int v) { return v > 0; }\nint main(void) { int x; return f(x) ? 1 : 0; }",
    "a result": """
        int f(int n) { int r; if (n > 2) r = 1; return r; }
        int main(void) { if (f(__VERIFIER_nondet_int())) return 1; return 0; }""",
    "an element": "int main(void) { int a[4]; a[0] = a[1] = a[2] = 1; if (a[3]) return 1; return 0; }",
    "an element that an input chooses": """
        int main(void) {
            int a[4], i = __VERIFIER_nondet_int();
            a[0] = a[2] = 1;
            if (i < 0 || i > 3) return 0;
            return a[i] == 7 ? 1 : 0;
        }""",
    "the last round": """
        int main(void) {
            int a[5], s = 0;
            for (int i = 0; i < 4; i++) a[i] = i;
            for (int i = 0; i <= 4; i++) s += a[i];
            return s > 3 ? 1 : 0;
        }""",
    "what malloc gives": "int main(void) { int *p = malloc(8); p[0] = 1; if (p[1]) return 1; free(p); return 0; }",
    "after realloc": """
        int main(void) {
            int *p = malloc(4);
            p[0] = 1;
            p = realloc(p, 8);
            return p[1] > 0 ? 1 : 0;
        }""",
    "a member": "int main(void) { struct pair s; s.c = 1; if (s.i > 0) return 1; return 0; }",
    "a member of a copy": "int main(void) { struct pair s, t; s.c = 1; t = s; if (t.i > 0) return 1; return 0; }",
    "a member that a function leaves": """
        void set(struct pair *p) { p->c = 1; }
        int main(void) { struct pair s; set(&s); if (s.i == 3) return 1; return 0; }""",
    "a bit-field": "int main(void) { struct bits s; s.a = 1; if (s.b == 2) return 1; return 0; }",
    "a part of a union": "int main(void) { union both u; u.c[0] = 1; if (u.i == 257) return 1; return 0; }",
    "an index": "int table[4];\nint main(void) { int i; i &= 3; table[i] = 1; return 0; }",
    "a pointer": "int main(void) { int *p; return *p; }",
    "what is freed": "int main(void) { int *p; free(p); return 0; }",
    "a divisor": "int main(void) { int d; int q = 10 / d; (void)q; return 0; }",
    "what main returns": "int main(void) { int x; return x; }",
    "a switch": "int main(void) { int x; switch (x) { case 1: return 1; default: return 0; } }",
    "copied bytes": """
        int main(void) { char a[8], b[8]; a[0] = 'x'; memcpy(b, a, 8); if (b[1] == 'y') return 1; return 0; }""",
    "a text without an end": """
        int main(void) { char s[8]; s[0] = 'a'; s[1] = 'b'; return strlen(s) > 3 ? 1 : 0; }""",
    "padding that is compared": """
        int main(void) {
            struct pair s, t;
            s.c = t.c = 1; s.i = t.i = 2;
            return memcmp(&s, &t, sizeof s) == 0 ? 0 : 1;
        }""",
    "a pointer to it": "int main(void) { int x, *p = &x; if (*p > 2) return 1; return 0; }",
    "again in a block": """
        int main(void) {
            for (int i = 0; i < 2; i++) { int x; int *p = &x; if (i == 0) *p = 1; else if (*p == 0) return 1; }
            return 0;
        }""",
}  # fmt: skip
FINE = {
    "comparisons multiplied": """
        int main(void) { int x, y = 2, c = (x == 3) * (y < 9); c = 1; return c; }""",
    "comparisons joined bit by bit": """
        int main(void) { int x, y = 2, a[3]; a[1] = (x < y) | (y != 3); a[1] ^= (x == 2) & (y == 2); return y - y; }""",
    "a choice that is not come to": """
        int main(void) { int x, y = __VERIFIER_nondet_int(), c = y == 4 ? y : 3;
            return c == 4 && y != 4 ? (x ? 1 : 2) : 3; }""",
    "an odd multiple of two": "int main(void) { int x, y = x * 6; return y == 7 ? 1 : 0; }",
    "operators that are settled": "int main(void) { int x, y = 2, c = y > 3 && x > 3; return c; }",
    "what a comparison gives has one open bit": "int main(void) { int x, c = x > 3; return c == 6 ? 1 : 0; }",
    "nothing": "int main(void) { return 0; }",
    "given first": "int main(void) { int x; x = __VERIFIER_nondet_int(); if (x) return 1; return 0; }",
    "given on both ways": """
        int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; else x = 2; if (x > 1) return 1; return 0; }""",
    "the same condition twice": """
        int main(void) {
            int n = __VERIFIER_nondet_int(), x;
            if (n > 3) x = 1;
            if (n > 3 && x) return 1;
            return 0;
        }""",
    "never used": "int main(void) { int x, y = 2; (void)x; return y; }",
    "only copied": "int main(void) { int x, y = x, z = y + 1; int *p = &z; return p == 0; }",
    "statics are zero": """
        static int s; int g[4];
        int main(void) { static int t; if (s || g[2] || t) return 1; return 0; }""",
    "calloc": "int main(void) { int *p = calloc(2, 4); if (p[1]) return 1; free(p); return 0; }",
    "memset": "int main(void) { int a[4]; memset(a, 0, sizeof a); if (a[2]) return 1; return 0; }",
    "filled in a loop": """
        int main(void) {
            int a[4];
            for (int i = 0; i < 4; i++) a[i] = i;
            for (int i = 0; i < 4; i++) if (a[i] == 9) return 1;
            return 0;
        }""",
    "given through a pointer": """
        void set(int *p) { *p = __VERIFIER_nondet_int(); }
        int main(void) { int x; set(&x); if (x > 3) return 1; return 0; }""",
    "a partial initialiser": "int main(void) { int a[4] = {1}; struct pair s = {2}; return a[3] || s.i; }",
    "padding that is copied": """
        int main(void) {
            struct pair s, t;
            s.c = 1; s.i = 2;
            t = s;
            memcpy(&s, &t, sizeof s);
            return s.c + s.i == 3 ? 0 : 1;
        }""",
    "a member that is given": "int main(void) { struct pair s, t; s.i = 1; t = s; if (t.i > 0) return 1; return 0; }",
    "bit-fields one by one": """
        int main(void) { struct bits s; s.a = 1; if (s.a == 2) return 1; s.b = 3; return s.b == 2 ? 1 : 0; }""",
    "bits that are masked out": """
        int main(void) { union both u; u.c[0] = 1; if ((u.i & 0xff) == 3) return 1; return 0; }""",
    "a bit that settles it": "int main(void) { union both u; u.c[0] = 1; if (u.i == 3) return 1; return 0; }",
    "a part of a union": "int main(void) { union both u; u.i = 5; if (u.c[2] == 3) return 1; return 0; }",
    "not reached": "int main(void) { int x; if (0 && x) return 1; return 0; }",
    "guarded": """
        int main(void) {
            int a[4], n = 0;
            while (n < 4 && __VERIFIER_nondet_int()) a[n++] = 1;
            for (int i = 0; i < n; i++) if (a[i] != 1) return 1;
            return 0;
        }""",
    "recursion": """
        int f(int n) { int r; if (n <= 0) r = 0; else r = f(n - 1) + 1; return r; }
        int main(void) { return f(5) == 5 ? 0 : 1; }""",
    "after realloc": """
        int main(void) {
            int *p = malloc(4);
            p[0] = 1;
            p = realloc(p, 8);
            return p[0] > 0 ? 0 : 1;
        }""",
    "a list": """
        struct node { int v; struct node *next; };
        int main(void) {
            struct node *head = 0;
            for (int i = 0; i < 3; i++) {
                struct node *n = malloc(sizeof *n);
                n->v = i; n->next = head; head = n;
            }
            int s = 0;
            while (head) { struct node *next = head->next; s += head->v; free(head); head = next; }
            return s == 3 ? 0 : 1;
        }""",
    "a text": "int main(void) { char s[8]; strcpy(s, \"ab\"); return strlen(s) > 3 ? 1 : 0; }",
    "texts compared": "int main(void) { char s[8]; strcpy(s, \"ab\"); return strcmp(s, \"ab\") ? 1 : 0; }",
    "a divisor": "int main(void) { int d, n; d = 2; n = 10 / d; return n == 5 ? 0 : 1; }",
    "a record that a function returns": """
        struct pair make(int i) { struct pair p; p.i = i; return p; }
        int main(void) { struct pair p = make(3); return p.i == 3 ? 0 : 1; }""",
}  # fmt: skip
