/* Three bytes become four characters; the last group may be short. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* Bytes of any length, with any contents. */
static unsigned char *received(unsigned n)
{
    unsigned char *bytes = malloc(n);
    if (!bytes)
        abort();
    for (unsigned i = 0; i < n; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    return bytes;
}

static void encode(unsigned char *out, const unsigned char *in, unsigned n, unsigned groups)
{
    for (unsigned g = 0; g < groups; g++) {
        unsigned first = in[3 * g];
        unsigned second = 3 * g + 1 < n ? in[3 * g + 1] : 0;
        unsigned third = 3 * g + 2 < n ? in[3 * g + 2] : 0;
        out[4 * g] = first >> 2;
        out[4 * g + 1] = (first & 3) << 4 | second >> 4;
        out[4 * g + 2] = (second & 15) << 2 | third >> 6;
        out[4 * g + 3] = third & 63;
    }
    out[4 * groups] = 0;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned groups = (n + 2) / 3;
    unsigned char *in = received(n);
    unsigned char *out = malloc(4 * groups + 1);
    if (!out)
        abort();
    encode(out, in, n, groups);
    if (out[4 * groups] != 0)
        reach_error();
    free(out);
    free(in);
    return 0;
}
