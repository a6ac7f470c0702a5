/* A text without the character has no end for this search. */
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

static const char *found(const char *s, char c)
{
    while (*s != c) {
        s++;
    }
    return s;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    char *text = text_of(n);
    const char *at = found(text, ':');
    if (at && *at != ':')
        reach_error();
    if (at && (size_t)(at - text) > n)
        reach_error();
    free(text);
    return 0;
}
