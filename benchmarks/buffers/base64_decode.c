// Base64: decoding any text ends, stays within its output, and refuses what is no letter.
// @sizes 1 64
// @broken 8
#include "symbolic.h"

static int value(char c)
{
    if ('A' <= c && c <= 'Z')
        return c - 'A';
    if ('a' <= c && c <= 'z')
        return c - 'a' + 26;
    if ('0' <= c && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static int decode(const char *in, size_t length, unsigned char *out, size_t room)
{
    unsigned bits = 0;
    int have = 0;
    size_t at = 0;
    for (size_t i = 0; i < length && in[i] != '='; i++) {
        int v = value(in[i]);
        if (v < 0)
            return -1;
        bits = bits << 6 | (unsigned)v;
        have += 6;
        if (have >= 8) {
            have -= 8;
#ifndef BROKEN
            if (at == room)
                return -1;
#endif
            out[at++] = (unsigned char)(bits >> have & 0xff);
        }
    }
    return (int)at;
}

int main(void)
{
    char in[N + 1];
    unsigned char out[N / 2 + 1];
    symbolic_text(in, N);
    int length = decode(in, N, out, sizeof out);
    assert(length <= (int)sizeof out);
    if (length > 0)
        assert(length <= (N * 6) / 8);
    return 0;
}
