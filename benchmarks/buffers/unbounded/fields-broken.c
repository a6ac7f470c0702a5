/* The field after the last separator has no room. */
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

static unsigned split(const unsigned char *line, unsigned n, unsigned *starts, unsigned most)
{
    unsigned count = 0, start = 0;
    for (unsigned i = 0; i < n; i++) {
        if (line[i] != ',')
            continue;
        if (count == most)
            return count;
        starts[count++] = start;
        start = i + 1;
    }
    if (count <= most)
        starts[count++] = start;
    return count;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), most = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000 || most == 0 || most > 1000)
        return 0;
    unsigned char *line = received(n);
    unsigned *starts = malloc(most * sizeof *starts);
    if (!starts)
        abort();
    unsigned count = split(line, n, starts, most);
    if (count > most)
        reach_error();
    unsigned k = __VERIFIER_nondet_uint();
    if (k < count && starts[k] > n)
        reach_error();
    free(starts);
    free(line);
    return 0;
}
