// Numbers of variable length (seven bits a byte): a message of them is read number by number, and written again.
// @sizes 1 64
// @broken 6
#include "symbolic.h"

static size_t read_varint(const unsigned char *in, size_t length, unsigned *value)
{
    unsigned result = 0;
#ifdef BROKEN
    for (size_t i = 0; i <= length && i < 5; i++) {
#else
    for (size_t i = 0; i < length && i < 5; i++) {
#endif
        if (i == 4 && in[i] > 15)
            return 0;
        result |= (unsigned)(in[i] & 0x7f) << 7 * i;
        if (!(in[i] & 0x80)) {
            if (i > 0 && in[i] == 0)
                return 0;
            *value = result;
            return i + 1;
        }
    }
    return 0;
}

static size_t write_varint(unsigned value, unsigned char *out)
{
    size_t at = 0;
    while (value >= 0x80) {
        out[at++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    out[at++] = (unsigned char)value;
    return at;
}

int main(void)
{
    unsigned char in[N], out[5];
    symbolic_bytes(in, N);
    size_t at = 0;
    while (at < N) {
        unsigned value = 0;
        size_t used = read_varint(in + at, N - at, &value);
        if (used == 0)
            return 0;
        assert(used <= N - at);
        assert(write_varint(value, out) == used);
        for (size_t i = 0; i < used; i++)
            assert(out[i] == in[at + i]);
        at += used;
    }
    assert(at == N);
    return 0;
}
