/* Characters of several bytes are stepped over as their first byte says. */
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

static size_t characters(const unsigned char *s)
{
    size_t count = 0, i = 0;
    while (s[i]) {
        int more = s[i] >= 0xf0 ? 3 : s[i] >= 0xe0 ? 2 : s[i] >= 0xc0 ? 1 : 0;
        i++;
        while (more > 0 && (s[i] & 0xc0) == 0x80) {
            i++;
            more--;
        }
        count++;
    }
    return count;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    char *text = text_of(n);
    if (characters((unsigned char *)text) > n)
        reach_error();
    free(text);
    return 0;
}
