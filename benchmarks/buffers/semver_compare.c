// Versions with three numbers: comparing is antisymmetric, and equal versions have equal numbers.
// @sizes 5 24
// @broken 5
#include "symbolic.h"

struct version {
    unsigned part[3];
};

static int parse(const char *s, struct version *v)
{
    for (int i = 0; i < 3; i++) {
        unsigned value = 0;
        int digits = 0;
        for (; '0' <= *s && *s <= '9'; s++, digits++)
            value = value * 10 + (unsigned)(*s - '0');
        if (digits == 0 || digits > 9)
            return 0;
        v->part[i] = value;
        if (i < 2 && *s++ != '.')
            return 0;
    }
    return *s == 0;
}

static int compare(const struct version *a, const struct version *b)
{
    for (int i = 0; i < 3; i++) {
#ifdef BROKEN
        if (a->part[i] > b->part[i])
            return 1;
#else
        if (a->part[i] != b->part[i])
            return a->part[i] > b->part[i] ? 1 : -1;
#endif
    }
    return 0;
}

int main(void)
{
    char first[N + 1], second[N + 1];
    struct version a, b;
    symbolic_text(first, N);
    symbolic_text(second, N);
    if (!parse(first, &a) || !parse(second, &b))
        return 0;
    assert(compare(&a, &b) == -compare(&b, &a));
    if (compare(&a, &b) == 0)
        assert(a.part[0] == b.part[0] && a.part[1] == b.part[1] && a.part[2] == b.part[2]);
    return 0;
}
