// Bytes as hexadecimal digits and back.
// @sizes 1 128
// @broken 2
#include "symbolic.h"

static void to_hex(const unsigned char *in, size_t length, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[2 * length] = 0;
}

static int nibble(char c)
{
    if ('0' <= c && c <= '9')
        return c - '0';
#ifdef BROKEN
    if ('a' <= c && c < 'f')
#else
    if ('a' <= c && c <= 'f')
#endif
        return c - 'a' + 10;
    return -1;
}

static int from_hex(const char *in, unsigned char *out, size_t room)
{
    size_t at = 0;
    for (; in[0] && in[1]; in += 2) {
        int high = nibble(in[0]), low = nibble(in[1]);
        if (high < 0 || low < 0 || at == room)
            return -1;
        out[at++] = (unsigned char)(high << 4 | low);
    }
    return (int)at;
}

int main(void)
{
    unsigned char bytes[N], again[N];
    char text[2 * N + 1];
    symbolic_bytes(bytes, N);
    to_hex(bytes, N, text);
    assert(strlen(text) == 2 * N);
    assert(from_hex(text, again, N) == N);
    assert(memcmp(bytes, again, N) == 0);
    return 0;
}
