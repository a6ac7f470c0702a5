// Base64: what is encoded is text of the right length, and decoding it gives the bytes again.
// @sizes 1 64
// @broken 3
#include "symbolic.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *in, size_t length, char *out)
{
    size_t at = 0;
    for (size_t i = 0; i < length; i += 3) {
        unsigned left = (unsigned)(length - i), bits = (unsigned)in[i] << 16;
        if (left > 1)
            bits |= (unsigned)in[i + 1] << 8;
        if (left > 2)
            bits |= in[i + 2];
        out[at++] = letters[bits >> 18 & 63];
        out[at++] = letters[bits >> 12 & 63];
        out[at++] = left > 1 ? letters[bits >> 6 & 63] : '=';
        out[at++] = left > 2 ? letters[bits & 63] : '=';
    }
#ifdef BROKEN
    out[at++] = 0;
#endif
    return at;
}

static unsigned value(char c)
{
    if ('A' <= c && c <= 'Z')
        return (unsigned)(c - 'A');
    if ('a' <= c && c <= 'z')
        return (unsigned)(c - 'a' + 26);
    if ('0' <= c && c <= '9')
        return (unsigned)(c - '0' + 52);
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

int main(void)
{
    unsigned char in[N];
    char out[(N + 2) / 3 * 4];
    symbolic_bytes(in, N);
    size_t length = encode(in, N, out);
    assert(length == (N + 2) / 3 * 4);
    for (size_t i = 0; i < N; i++) {
        size_t at = i / 3 * 4 + i % 3;
        unsigned high = value(out[at]), low = value(out[at + 1]);
        assert(high < 64 && low < 64);
        unsigned both = high << 6 | low;
        assert((both >> (4 - i % 3 * 2) & 0xff) == in[i]);
    }
    return 0;
}
