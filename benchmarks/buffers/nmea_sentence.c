// A sentence of a GPS receiver: `$`, fields between commas, `*` and a checksum of two hexadecimal digits.
// @sizes 1 82
// @broken 6
#include "symbolic.h"

#define FIELDS 4

static int digit(char c)
{
    if ('0' <= c && c <= '9')
        return c - '0';
    if ('A' <= c && c <= 'F')
        return c - 'A' + 10;
    if ('a' <= c && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

static int checked(const char *s)
{
    unsigned char sum = 0;
    if (*s++ != '$')
        return 0;
    while (*s && *s != '*')
        sum ^= (unsigned char)*s++;
    if (*s != '*')
        return 0;
    int high = digit(s[1]);
    if (high < 0)
        return 0;
    int low = digit(s[2]);
    if (low < 0)
        return 0;
    return sum == (high << 4 | low) && s[3] == 0;
}

static int split(char *s, char *fields[FIELDS])
{
    int count = 0;
    fields[count++] = s;
    for (; *s && *s != '*'; s++)
        if (*s == ',') {
            *s = 0;
#ifdef BROKEN
            fields[count++] = s + 1;
#else
            if (count < FIELDS)
                fields[count++] = s + 1;
#endif
        }
    *s = 0;
    return count;
}

int main(void)
{
    char sentence[N + 1], *fields[FIELDS];
    symbolic_text(sentence, N);
#ifndef BROKEN
    if (!checked(sentence))
        return 0;
    assert(N >= 4);
#endif
    int count = split(sentence, fields);
    assert(1 <= count && count <= FIELDS);
    for (int i = 0; i < count; i++) {
        assert(sentence <= fields[i] && fields[i] <= sentence + N);
        assert(i == 0 || fields[i] > fields[i - 1]);
        assert(fields[i] + strlen(fields[i]) <= sentence + N);
    }
    return 0;
}
