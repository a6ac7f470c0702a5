// CRC-16 by a table of sixteen entries and bit by bit: both give the same sum.
// @sizes 1 32
// @broken 2
#include "symbolic.h"

static unsigned short bitwise(const unsigned char *in, size_t length)
{
    unsigned short crc = 0xffff;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned short)(in[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (unsigned short)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

static unsigned short tabled(const unsigned char *in, size_t length)
{
    unsigned short table[16], crc = 0xffff;
    for (int i = 0; i < 16; i++) {
        unsigned short c = (unsigned short)(i << 12);
        for (int bit = 0; bit < 4; bit++)
            c = (unsigned short)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
        table[i] = c;
    }
    for (size_t i = 0; i < length; i++) {
        crc = (unsigned short)(crc << 4 ^ table[crc >> 12 ^ in[i] >> 4]);
#ifdef BROKEN
        crc = (unsigned short)(crc << 4 ^ table[crc >> 12 ^ in[i]]);
#else
        crc = (unsigned short)(crc << 4 ^ table[(crc >> 12 ^ in[i]) & 15]);
#endif
    }
    return crc;
}

int main(void)
{
    unsigned char message[N];
    symbolic_bytes(message, N);
    assert(bitwise(message, N) == tabled(message, N));
    return 0;
}
