// branchless-utf8: every text with three zero bytes behind it is walked to its end.
// @sizes 1 32
// @broken 4
#include "branchless-utf8/utf8.h"
#include "symbolic.h"

int main(void)
{
#ifdef BROKEN
    unsigned char text[N + 1];
#else
    unsigned char text[N + 3];
#endif
    memset(text, 0, sizeof text);
    symbolic_bytes(text, N);
    unsigned char *at = text;
    while (at < text + N) {
        uint32_t point;
        int error;
        unsigned char *next = utf8_decode(at, &point, &error);
        assert(next > at && next <= at + 4);
        if (!error)
            assert(point <= 0x10ffff && (point < 0xd800 || point > 0xdfff));
        at = next;
    }
    return 0;
}
