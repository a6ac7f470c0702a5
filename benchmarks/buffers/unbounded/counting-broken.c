/* The table ends before the largest byte. */
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

int main(void)
{
    unsigned counts[255] = {0};
    unsigned n = __VERIFIER_nondet_uint(), zeros = 0;
    if (n == 0 || n > 1000000)
        return 0;
    unsigned char *bytes = received(n);
    for (unsigned i = 0; i < n; i++) {
        counts[bytes[i]]++;
        if (bytes[i] == 0)
            zeros++;
    }
    if (zeros > n)
        reach_error();
    free(bytes);
    return 0;
}
