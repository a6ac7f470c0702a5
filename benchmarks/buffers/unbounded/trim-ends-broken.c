/* A text of blanks alone is left at the front. */
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

static char *trimmed(char *s, size_t n)
{
    char *end = s + n;
    while (end[-1] == ' ')
        end--;
    *end = 0;
    while (*s == ' ')
        s++;
    return s;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    char *text = text_of(n);
    char *s = trimmed(text, n);
    if (*s == ' ')
        reach_error();
    free(text);
    return 0;
}
