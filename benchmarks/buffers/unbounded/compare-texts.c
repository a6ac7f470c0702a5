/* Two texts are compared up to the first difference. */
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

static int compared(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (n > 100000 || m > 100000)
        return 0;
    char *a = text_of(n), *b = text_of(m);
    int order = compared(a, b);
    if (order < -255 || order > 255)
        reach_error();
    free(b);
    free(a);
    return 0;
}
