/* Sequences of one to four bytes: none is read beyond the end. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int is_valid(const unsigned char *s, size_t n)
{
    size_t i = 0;
    while (i < n) {
        unsigned char c = s[i++];
        size_t more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : 4;
        if (more == 4 || more > n - i)
            return 0;
        while (more--)
            if ((s[i++] & 0xc0) != 0x80)
                return 0;
    }
    if (i != n)
        reach_error();
    return 1;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned char *s = malloc(n);
    if (!s)
        return 0;
    for (unsigned i = 0; i < n; i++)
        s[i] = __VERIFIER_nondet_uchar();
    is_valid(s, n);
    free(s);
    return 0;
}
