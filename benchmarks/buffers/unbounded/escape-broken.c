/* There is room for half of what may be escaped. */
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

static size_t escaped_size(const unsigned char *in, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += in[i] == '"' ? 2 : 1;
    return size;
}

static size_t escape(char *out, const unsigned char *in, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (in[i] == '"')
            out[at++] = '\\';
        out[at++] = in[i];
    }
    return at;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned char *in = received(n);
    size_t size = escaped_size(in, n);
    if (size > 2 * (size_t)n)
        reach_error();
    char *out = malloc((size_t)n + n / 2);
    if (!out)
        abort();
    if (escape(out, in, n) > 2 * (size_t)n)
        reach_error();
    free(out);
    free(in);
    return 0;
}
