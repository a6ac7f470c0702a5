/* A text of blanks alone is left at its front. */
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
    unsigned char *text = received(n);
    unsigned first = 0, end = n;
    while (first < end && text[first] == ' ')
        first++;
    while (text[end - 1] == ' ')
        end--;
    if (first > end || end > n)
        reach_error();
    if (first < end && (text[first] == ' ' || text[end - 1] == ' '))
        reach_error();
    for (unsigned i = first; i < end; i++)
        text[i - first] = text[i];
    free(text);
    return 0;
}
