// Percent-encoding undone in place: the text never grows, and holds no `%` that two digits followed.
// @sizes 1 64
// @broken 2
#include "symbolic.h"

static int digit(char c)
{
    if ('0' <= c && c <= '9')
        return c - '0';
    c |= 0x20;
    return 'a' <= c && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t decode(char *s)
{
    char *from = s, *to = s;
    while (*from) {
#ifdef BROKEN
        if (*from == '%') {
#else
        if (*from == '%' && from[1] && from[2]) {
#endif
            int high = digit(from[1]), low = digit(from[2]);
            if (high >= 0 && low >= 0) {
                *to++ = (char)(high << 4 | low);
                from += 3;
                continue;
            }
        }
        *to++ = *from == '+' ? ' ' : *from;
        from++;
    }
    *to = 0;
    return (size_t)(to - s);
}

int main(void)
{
    char *s = malloc(N + 1);
    if (!s)
        return 0;
    symbolic_text(s, N);
    size_t before = strlen(s), length = decode(s);
    assert(length <= before);
    assert(s[length] == 0);
    free(s);
    return 0;
}
