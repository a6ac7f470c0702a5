/* The byte before the place that was found is said to be the first. */
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

static unsigned place_of(const unsigned char *bytes, unsigned n, unsigned char wanted)
{
    unsigned i;
    for (i = 0; i < n; i++)
        if (bytes[i] == wanted)
            return i ? i - 1 : 0;
    return i;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 0;
    unsigned char *bytes = received(n), wanted = __VERIFIER_nondet_uchar();
    unsigned at = place_of(bytes, n, wanted);
    if (at > n || (at < n && bytes[at] != wanted))
        reach_error();
    unsigned k = __VERIFIER_nondet_uint();
    if (k < at && bytes[k] == wanted)
        reach_error();
    free(bytes);
    return 0;
}
