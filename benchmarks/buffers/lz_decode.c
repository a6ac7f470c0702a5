// A decoder of literals and matches (distance, length) in the manner of LZ77.
// @sizes 1 48
// @broken 4
#include "symbolic.h"

#define ROOM 16

static int decode(const unsigned char *in, size_t length, unsigned char *out)
{
    size_t at = 0;
    for (size_t i = 0; i < length;) {
        unsigned char tag = in[i++];
        if (tag & 0x80) {
            if (i == length)
                return -1;
            size_t count = (tag & 7u) + 1, distance = in[i++] + 1u;
#ifdef BROKEN
            if (distance > at + 1 || count > ROOM - at)
#else
            if (distance > at || count > ROOM - at)
#endif
                return -1;
            for (; count > 0; count--, at++)
                out[at] = out[at - distance];
        } else {
            if (at == ROOM)
                return -1;
            out[at++] = tag;
        }
    }
    return (int)at;
}

int main(void)
{
    unsigned char in[N], out[ROOM];
    symbolic_bytes(in, N);
    int length = decode(in, N, out);
    assert(length <= ROOM);
    for (int i = 0; i < length; i++)
        assert(out[i] < 0x80);
    return 0;
}
