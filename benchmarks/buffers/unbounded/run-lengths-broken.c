/* A single byte takes two all the same. */
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

static unsigned encode(unsigned char *out, const unsigned char *in, unsigned n)
{
    unsigned i = 0, at = 0;
    while (i < n) {
        unsigned char c = in[i];
        unsigned run = 1;
        while (run < 255 && i + run < n && in[i + run] == c)
            run++;
        out[at++] = run;
        out[at++] = c;
        i += run;
    }
    return at;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned char *in = received(n);
    unsigned char *out = malloc(n + 1);
    if (!out)
        abort();
    if (encode(out, in, n) > 2 * n)
        reach_error();
    free(out);
    free(in);
    return 0;
}
