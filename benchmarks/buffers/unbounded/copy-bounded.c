/* A text is copied as far as there is room, and ended by a zero byte. */
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

static unsigned copied(unsigned char *to, unsigned room, const unsigned char *from, unsigned n)
{
    unsigned i = 0;
    while (i < n && i + 1 < room && from[i]) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return i;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), room = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000 || room == 0 || room > 1000000)
        return 0;
    unsigned char *from = received(n);
    unsigned char *to = malloc(room);
    if (!to)
        abort();
    unsigned length = copied(to, room, from, n);
    if (length >= room || to[length] != 0)
        reach_error();
    unsigned k = __VERIFIER_nondet_uint();
    if (k < length && to[k] != from[k])
        reach_error();
    free(to);
    free(from);
    return 0;
}
