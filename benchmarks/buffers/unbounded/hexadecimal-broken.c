/* The zero byte has no room. */
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

static const char digits[] = "0123456789abcdef";

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned char *bytes = received(n);
    char *text = malloc(2 * n);
    if (!text)
        abort();
    unsigned out = 0;
    for (unsigned i = 0; i < n; i++) {
        text[out++] = digits[bytes[i] >> 4];
        text[out++] = digits[bytes[i] & 15];
    }
    text[out] = 0;
    if (out != 2 * n)
        reach_error();
    free(text);
    free(bytes);
    return 0;
}
