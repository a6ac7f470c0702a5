/* Bytes change places from both ends to the middle. */
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
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 0;
    unsigned char *bytes = received(n);
    unsigned i = 0, j = n - 1;
    while (i < j) {
        unsigned char kept = bytes[i];
        bytes[i++] = bytes[j];
        bytes[j--] = kept;
    }
    if (j >= n)
        reach_error();
    free(bytes);
    return 0;
}
