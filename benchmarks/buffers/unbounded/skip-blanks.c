/* Blanks at the front are skipped, up to the end of the buffer. */
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

static unsigned skipped(const unsigned char *text, unsigned n)
{
    unsigned i = 0;
    while (i < n && (text[i] == ' ' || text[i] == '\t'))
        i++;
    return i;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 0;
    unsigned char *text = received(n);
    unsigned start = skipped(text, n);
    if (start > n)
        reach_error();
    if (start < n && text[start] == ' ')
        reach_error();
    free(text);
    return 0;
}
