/* A word at the end of the line is followed beyond it. */
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

static unsigned words(const unsigned char *line, unsigned n)
{
    unsigned i = 0, count = 0;
    while (i < n) {
        while (i < n && line[i] == ' ')
            i++;
        if (i < n)
            count++;
        while (line[i] != ' ' && i < n)
            i++;
    }
    return count;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000)
        return 0;
    unsigned char *line = received(n);
    if (words(line, n) > n)
        reach_error();
    free(line);
    return 0;
}
