// A name of a DNS message as text: labels with their lengths, and pointers back that compress.
// @sizes 1 48
// @broken 20
#include "symbolic.h"

#define ROOM 16
#define JUMPS 4

static int name(const unsigned char *message, size_t length, size_t at, char *out)
{
    size_t used = 0;
    int jumps = 0;
    while (at < length) {
        unsigned char c = message[at];
        if (c == 0) {
            out[used > 0 ? used - 1 : 0] = 0;
            return (int)used;
        }
        if (c >= 0xc0) {
            if (at + 1 >= length || ++jumps > JUMPS)
                return -1;
            at = (size_t)(c & 0x3f) << 8 | message[at + 1];
            continue;
        }
        if (c >= 0x40 || c >= length - at)
            return -1;
#ifdef BROKEN
        if (used + c > ROOM)
#else
        if (used + c + 1 > ROOM)
#endif
            return -1;
        for (at++; c > 0; c--)
            out[used++] = (char)message[at++];
        out[used++] = '.';
    }
    return -1;
}

int main(void)
{
    unsigned char message[N];
    char text[ROOM];
    symbolic_bytes(message, N);
    int length = name(message, N, 0, text);
    assert(length <= ROOM);
    if (length > 0)
        assert(text[length - 1] == 0);
    return 0;
}
