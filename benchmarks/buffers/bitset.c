// A set of small numbers as bits: after N insertions it has as many members as there are different numbers.
// @sizes 1 32
// @broken 2
#include "symbolic.h"

#define MEMBERS 100

static unsigned set[(MEMBERS + 31) / 32];

static int insert(unsigned member)
{
#ifdef BROKEN
    unsigned *word = &set[member / 24];
#else
    unsigned *word = &set[member / 32];
#endif
    unsigned bit = 1u << member % 32;
    if (*word & bit)
        return 0;
    *word |= bit;
    return 1;
}

static int members(void)
{
    int count = 0;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        for (unsigned word = set[i]; word; word &= word - 1)
            count++;
    return count;
}

int main(void)
{
    int inserted = 0;
    for (int i = 0; i < N; i++) {
        unsigned char member = __VERIFIER_nondet_uchar();
        if (member < MEMBERS)
            inserted += insert(member);
    }
    assert(inserted == members());
    assert(inserted <= N);
    return 0;
}
