/* The length of a text is found by its zero byte, and the text is copied with it. */
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

static unsigned length_of(const unsigned char *text)
{
    unsigned i = 0;
    while (text[i])
        i++;
    return i;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 0;
    unsigned char *text = received(n);
    text[n - 1] = 0;
    unsigned length = length_of(text);
    if (length >= n || text[length] != 0)
        reach_error();
    unsigned char *copy = malloc(length + 1);
    if (!copy)
        abort();
    unsigned i = 0;
    while ((copy[i] = text[i]) != 0)
        i++;
    free(copy);
    free(text);
    return 0;
}
