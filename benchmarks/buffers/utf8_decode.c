// UTF-8: decoding what is valid and encoding it again gives the same bytes.
// @sizes 1 64
// @broken 3
#include "symbolic.h"

static size_t decode(const unsigned char *s, size_t length, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t need = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (need == 0 || need > length)
        return 0;
    unsigned value = need == 1 ? s[0] : s[0] & (0xffu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3f);
    }
#ifdef BROKEN
    if (need != 2 && value < least[need])
#else
    if (value < least[need])
#endif
        return 0;
    if (value > 0x10ffff || (0xd800 <= value && value < 0xe000))
        return 0;
    *code = value;
    return need;
}

static size_t encode(unsigned code, unsigned char *s)
{
    size_t need = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = need - 1; i > 0; i--) {
        s[i] = (unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    s[0] = (unsigned char)(first[need] | code);
    return need;
}

int main(void)
{
    unsigned char text[N], again[4];
    symbolic_bytes(text, N);
    size_t at = 0, used;
    unsigned code = 0;
    while (at < N && (used = decode(text + at, N - at, &code)) != 0) {
        assert(encode(code, again) == used);
        for (size_t i = 0; i < used; i++)
            assert(again[i] == text[at + i]);
        at += used;
    }
    assert(at <= N);
    return 0;
}
