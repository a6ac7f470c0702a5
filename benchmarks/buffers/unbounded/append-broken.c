/* A buffer without a zero byte is written behind its end. */
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

static void append(unsigned char *to, unsigned room, const unsigned char *from, unsigned n)
{
    unsigned end = 0;
    while (end < room && to[end])
        end++;
    if (end > room)
        return;
    for (unsigned i = 0; i < n && end + 1 < room; i++)
        to[end++] = from[i];
    to[end] = 0;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), room = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000 || room == 0 || room > 100000)
        return 0;
    unsigned char *to = received(room), *from = received(n);
    append(to, room, from, n);
    free(to);
    free(from);
    return 0;
}
