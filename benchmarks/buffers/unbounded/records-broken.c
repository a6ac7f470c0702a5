/* The length of the last record is one too large. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static size_t records(const unsigned char *in, size_t n)
{
    size_t at = 0, count = 0;
    while (at < n) {
        size_t length = in[at];
        if (length > n - at)
            break;
        if (length && in[at + length] == 0xff)
            count++;
        at += 1 + length;
    }
    if (at > n)
        reach_error();
    return count;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned char *in = malloc(n);
    if (!in)
        return 0;
    for (unsigned i = 0; i < n; i++)
        in[i] = __VERIFIER_nondet_uchar();
    if (records(in, n) > n)
        reach_error();
    free(in);
    return 0;
}
