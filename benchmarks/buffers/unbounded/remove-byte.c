/* All bytes of one value go, the others move to the front. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* A text of any length, with its end. */
static char *text_of(size_t n)
{
    char *text = malloc(n + 1);
    if (!text)
        abort();
    for (size_t i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_uchar();
    text[n] = 0;
    return text;
}

static size_t removed(char *s, char c)
{
    char *to = s;
    size_t gone = 0;
    for (const char *from = s; *from; from++)
        if (*from == c)
            gone++;
        else
            *to++ = *from;
    *to = 0;
    return gone;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    char *text = text_of(n);
    if (removed(text, '-') > n)
        reach_error();
    free(text);
    return 0;
}
