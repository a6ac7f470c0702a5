/* An empty buffer has a last byte, too. */
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

static unsigned lines(const unsigned char *data, unsigned n)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        if (data[i] == '\n')
            count++;
    if (data[n - 1] != '\n')
        count++;
    return count;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    unsigned char *data = received(n);
    if (lines(data, n) > n)
        reach_error();
    free(data);
    return 0;
}
