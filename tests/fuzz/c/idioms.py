"""Fragments of C that a grammar-driven generator hardly hits, with random constants: each mixes what it computes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from . import language_idioms

Fragment = tuple[str, str]


def choose(rng: Random, count: int) -> list[Fragment]:
    """Some fragments, each a text for the top level and one for the end of main."""
    return [make(rng) for make in rng.sample(FRAGMENTS, count)]


def _duff(rng: Random) -> Fragment:
    """Cases that jump into the middle of a loop."""
    return (
        """
static void duff(short *to, const short *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}
""",
        f"""
{{
    short from[11] = {{{", ".join(str(rng.randint(-999, 999)) for _ in range(11))}}}, to[11] = {{0}};
    duff(to, from, {rng.randint(1, 11)});
    for (int i = 0; i < 11; i++) mix(to[i]);
}}
""",
    )


def _old_style(rng: Random) -> Fragment:
    return (
        f"""
static long old_style(first, second, third)
    int first;
    char second;
    unsigned *third;
{{
    return first * {rng.randint(2, 9)} - second + *third;
}}
""",
        f"""{{ unsigned u = {rng.getrandbits(31)}u;
        mix(old_style({rng.randint(-9, 9)}, {rng.randint(-200, 300)}, &u)); }}""",
    )


def _anonymous_members(rng: Random) -> Fragment:
    return (
        """
struct packet {
    unsigned char kind;
    union { unsigned word; struct { unsigned short low, high; }; unsigned char bytes[4]; };
    struct { int x, y; } at;
};
""",
        f"""
{{
    struct packet packet = {{.kind = {rng.randint(0, 300)},
    .word = {rng.getrandbits(32)}u, .at = {{.y = {rng.randint(-5, 5)}}}}};
    mix(packet.low); mix(packet.high); mix(packet.bytes[{rng.randint(0, 3)}]);
    packet.high ^= {rng.getrandbits(15)};
    struct packet *pointer = &packet;
    pointer->bytes[{rng.randint(0, 3)}]++;
    mix(packet.word); mix(packet.kind + packet.at.x - packet.at.y); mix(sizeof packet);
}}
""",
    )


def _local_types(rng: Random) -> Fragment:
    return (
        "typedef struct pair { int a, b; } pair;",
        f"""
{{
    typedef unsigned char pair_t;
    enum colour {{ RED = {rng.randint(-3, 3)}, GREEN, BLUE = GREEN * 2 }};
    struct pair {{ pair_t a; enum colour c : 8; long b; }} one = {{{rng.randint(250, 270)}, BLUE, -1}};
    pair two = {{1, 2}};
    {{ struct pair copy = one; copy.a += {rng.randint(1, 99)}; mix(copy.a); }}
    mix(one.a); mix(one.b + two.b); mix(sizeof one + sizeof two); mix(BLUE);
}}
""",
    )


def _array_parameters(rng: Random) -> Fragment:
    values = ", ".join(str(rng.randint(-50, 50)) for _ in range(6))
    return (
        """
static int total(const int values[], int count) { int sum = 0; while (count > 0) sum += values[--count]; return sum; }
static int trace(int table[][3], int rows) {
    int sum = 0;
    for (int i = 0; i < rows; i++) sum += table[i][i], table[i][2 - i]++;
    return sum + sizeof(table) - sizeof(table[0]);
}
""",
        f"""
{{
    int table[2][3] = {{{values}}};
    mix(total(table[0], 3)); mix(trace(table, 2)); mix(trace(&table[0], 2));
    mix(total(&table[0][{rng.randint(0, 3)}], 3));
}}
""",
    )


def _callbacks(rng: Random) -> Fragment:
    return (
        f"""
typedef int operation(int, int);
static int plus(int a, int b) {{ return a + b; }}
static int minus(int a, int b) {{ return a - b * {rng.randint(1, 5)}; }}
static operation *chosen(unsigned key) {{ return key & 1 ? plus : minus; }}
static int fold(operation *step, const int *values, int count) {{
    int result = {rng.randint(-9, 9)};
    for (int i = 0; i < count; i++) result = step(result, values[i]);
    return result;
}}
static int (*const steps[2])(int, int) = {{plus, &minus}};
""",
        f"""
{{
    int values[] = {{{", ".join(str(rng.randint(-9, 9)) for _ in range(4))}}};
    mix(fold(chosen({rng.randint(0, 9)}), values, sizeof values / sizeof *values));
    mix(fold(*steps[{rng.randint(0, 1)}], values, 3) + (**chosen(3))(4, 5)); mix(chosen(1) == plus);
}}
""",
    )


def _container(rng: Random) -> Fragment:
    return (
        """
#include <stddef.h>
struct hook { struct hook *next; };
struct carrier { char name; int value; struct hook hook; short tail[3]; };
static struct carrier *carrier_of(struct hook *hook) {
    return (struct carrier *)((char *)hook - offsetof(struct carrier, hook));
}
""",
        f"""
{{
    struct carrier carriers[3];
    struct hook *first = 0;
    for (int i = 0; i < 3; i++) {{
        memset(&carriers[i], {rng.randint(0, 255)}, sizeof carriers[i]);
        carriers[i].value = i * {rng.randint(2, 50)};
        carriers[i].hook.next = first;
        first = &carriers[i].hook;
    }}
    for (; first; first = first->next) mix(carrier_of(first)->value + carrier_of(first)->tail[1]);
    mix(offsetof(struct carrier, tail[2])); mix(&carriers[2] - carriers);
}}
""",
    )


def _bit_fields(rng: Random) -> Fragment:
    a, b, c = rng.randint(1, 7), rng.randint(8, 20), rng.randint(2, 31)
    return (
        f"""
struct bits {{ signed int a : {a}; unsigned b : {b}; int : 0; unsigned char c : {rng.randint(1, 8)}; _Bool d : 1;
    int e : {c}; unsigned long long f : 33; }};
""",
        f"""
{{
    struct bits bits = {{{rng.randint(-99, 99)}, {rng.getrandbits(20)}, 255, 2, -1, ~0ul}}, *p = &bits;
    mix(bits.a); mix(bits.b); mix(bits.c); mix(bits.d); mix(bits.e); mix((unsigned long long)bits.f);
    mix(bits.a++ + 3); mix(--p->b); mix((bits.c += {rng.randint(1, 300)})); mix(p->d--); mix(bits.e <<= 1);
    mix(bits.a = {rng.randint(-300, 300)}); mix(bits.b < -1); mix(p->e - bits.b < 0); p->f *= 3;
    mix((unsigned long long)p->f);
    mix(sizeof(struct bits));
}}
""",
    )


def _text(rng: Random) -> Fragment:
    first, second = rng.sample(("alpha", "alp", "beta", "", "al\\xe9", "zz top"), 2)
    return (
        """
static unsigned spell(const char *text) { unsigned h = 7; for (; *text; ++text) h = h * 33 ^ *text; return h; }
""",
        f"""
{{
    char buffer[40] = "<";
    const char *words[] = {{"{first}", "{second}", "end" "ing"}};
    for (int i = 0; i < 3; i++) strcat(buffer, words[i]);
    mix(spell(buffer)); mix(strlen(buffer)); mix(strcmp(words[0], words[1]) < 0); mix(strncmp(buffer, "<al", 3) == 0);
    strcpy(buffer + 3, words[1]); mix(spell(buffer)); mix(memcmp(buffer, words[0], 1) == 0);
    char *found = strchr(buffer, '{rng.choice("apze")}'); mix(found ? found - buffer : -1);
    mix(words[2][{rng.randint(0, 5)}] + *words[1]); mix(sizeof words[0] + sizeof "\\0\\n" + sizeof buffer);
}}
""",
    )


def _flexible_array(rng: Random) -> Fragment:
    length = rng.randint(1, 5)
    return (
        "struct message { unsigned char length; unsigned short body[]; };",
        f"""
{{
    struct message *message = malloc(sizeof(struct message) + {length} * sizeof(unsigned short));
    message->length = {length};
    for (int i = 0; i < message->length; i++) message->body[i] = i * {rng.getrandbits(14)};
    mix(message->body[{length - 1}]); mix(sizeof *message);
    free(message);
}}
""",
    )


def _tree(rng: Random) -> Fragment:
    keys = ", ".join(str(rng.randint(0, 30)) for _ in range(6))
    return (
        """
struct tree { int key; struct tree *child[2]; };
static struct tree *insert(struct tree *tree, int key) {
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
    } else if (tree->key != key) {
        struct tree **where = &tree->child[tree->key < key];
        *where = insert(*where, key);
    }
    return tree;
}
static int height(const struct tree *tree) {
    if (!tree) return 0;
    int left = height(tree->child[0]), right = height(tree->child[1]);
    mix(tree->key);
    return 1 + (left > right ? left : right);
}
""",
        f"""{{ struct tree *root = 0; int keys[6] = {{{keys}}}; for (int i = 0; i < 6;
        i++) root = insert(root, keys[i]); mix(height(root)); }}""",
    )


def _mutual_recursion(rng: Random) -> Fragment:
    return (
        """
static int odd(unsigned n);
static int even(unsigned n) { static int calls; calls++; return n == 0 ? calls : odd(n - 1); }
static int odd(unsigned n) { int local[2] = {n, 1}; int *p = local; int r = n == 0 ? 0 : even(n - 1);
    return r + p[n & 1]; }
static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}
""",
        f"""mix(even({rng.randint(0, 9)})); mix(odd({rng.randint(0, 9)}));
        mix(ackermann({rng.randint(0, 2)}, {rng.randint(0, 3)}));""",
    )


def _machine(rng: Random) -> Fragment:
    """A state machine of jumps, and a switch with negative, ranged and character cases."""
    return (
        "",
        f"""
{{
    int state = {rng.randint(-2, 2)}, steps = 0;
start:
    if (++steps > {rng.randint(3, 20)}) goto finish;
    switch (state) {{
    case -1: state = 'x'; goto start;
    case 'x': state = {rng.randint(-1, 5)}; goto again;
    case 2 ... 4: state = -1; break;
    default: state++;
    }}
again:
    mix(state);
    if (steps & 1) goto start; else {{ state -= 2; goto start; }}
finish:
    mix(steps * 100 + state);
}}
""",
    )


def _compound_literals(rng: Random) -> Fragment:
    return (
        """struct point { int x, y; long z[2]; };
static long norm(struct point *p) { p->x++;
        return p->x + p->y - p->z[1]; }""",
        f"""
{{
    int *values = (int[]){{{", ".join(str(rng.randint(-9, 9)) for _ in range(4))}}};
    struct point *p = &(struct point){{.y = {rng.randint(0, 99)}, .z[1] = {rng.randint(0, 99)}}};
    values[1] += p->y;
    mix(norm(p)); mix(norm(p)); mix(values[{rng.randint(0, 3)}]); mix(norm(&(struct point){{4, 5, {{6}}}}));
    mix((char[]){{"abc"}}[{rng.randint(0, 3)}]); mix(((struct point){{1, 2}}).y);
}}
""",
    )


def _conversions(rng: Random) -> Fragment:
    a, b = rng.randint(100, 255), rng.randint(-128, -1)
    return (
        "",
        f"""
{{
    unsigned char u = {a}; signed char s = {b}; short h = {rng.choice((-32768, 32767, -1))};
    unsigned w = {rng.getrandbits(32)}u;
    long l = {rng.choice((-1, 1 << 40, -(1 << 35)))}L; unsigned long long q = {rng.getrandbits(64)}ull;
    char c = '\\xff'; _Bool t = {a} * 256;
    mix(u + s > 255); mix(s < w); mix(s < u); mix(-1 < (long)w); mix((1 ? s : w) > 0); mix(h >> 1); mix(~u >> 1);
    mix((unsigned char)~u >> 1); mix(u << 24); mix(w << 31 >> 31); mix(l >> 3); mix((int)q); mix((short)w * (short)w);
    mix(sizeof 'a' + sizeof(c + c) + sizeof(t ? u : l)); mix(c); mix((unsigned)c); mix((unsigned short)h); mix(t + t);
    mix(-s); mix(-u); mix(-w > 0); mix(!l); mix((_Bool)l); mix((_Bool)(char)l); mix(q % 1000 - w % 7);
    mix(l / 7 * 7 == l);
    mix(s / 3); mix(s % 3); mix(h % -7); mix(-h / 4); mix(u ^ s); mix(w * q); mix((t -= 2)); mix(t++);
    mix((u += 300));
    mix((s *= 3)); mix((h <<= 3)); mix((w >>= 5)); mix((s = 200)); mix((u = s) == s); mix(c == '\\xff');
    mix((l = w) < 0);
}}
""",
    )


def _value_records(rng: Random) -> Fragment:
    return (
        """
struct grid { unsigned char cell[3][3]; short edge; };
union word { unsigned value; unsigned char byte[4]; };
static struct grid turned(struct grid grid) {
    struct grid result = grid;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) result.cell[j][2 - i] = grid.cell[i][j];
    result.edge++;
    return result;
}
static union word swapped(union word word) {
    union word result = {.byte = {word.byte[3], word.byte[2], word.byte[1], word.byte[0]}};
    return result;
}
""",
        f"""
{{
    struct grid grid = {{{{{{{rng.randint(0, 255)}, 2, 3}}, {{4}}}}, {rng.randint(0, 99)}}}, other;
    other = turned(turned(grid));
    grid = grid.edge & 1 ? turned(other) : other;
    for (int i = 0; i < 9; i++) mix(grid.cell[i / 3][i % 3] * 256 + other.cell[i / 3][i % 3]);
    mix(turned(grid).edge); mix(turned(other).cell[1][{rng.randint(0, 2)}]);
    mix(swapped((union word){{{rng.getrandbits(32)}u}}).value);
    mix(swapped(swapped((union word){{.byte = {{1, 2}}}})).byte[1]);
}}
""",
    )


FRAGMENTS: tuple[Callable[[Random], Fragment], ...] = (
    *language_idioms.FRAGMENTS,
    _duff,
    _old_style,
    _anonymous_members,
    _local_types,
    _array_parameters,
    _callbacks,
    _container,
    _bit_fields,
    _text,
    _flexible_array,
    _tree,
    _mutual_recursion,
    _machine,
    _compound_literals,
    _conversions,
    _value_records,
)
