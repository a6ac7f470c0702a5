// Run-length coding there and back.
// @sizes 1 48
// @broken 3
#include "symbolic.h"

static size_t encode(const unsigned char *in, size_t length, unsigned char *out)
{
    size_t at = 0;
    for (size_t i = 0; i < length;) {
        size_t run = 1;
        while (i + run < length && in[i + run] == in[i] && run < 255)
            run++;
        out[at++] = (unsigned char)run;
        out[at++] = in[i];
        i += run;
    }
    return at;
}

static size_t decode(const unsigned char *in, size_t length, unsigned char *out, size_t room)
{
    size_t at = 0;
    for (size_t i = 0; i + 1 < length; i += 2)
#ifdef BROKEN
        for (unsigned run = 0; run <= in[i] && at < room; run++)
#else
        for (unsigned run = 0; run < in[i] && at < room; run++)
#endif
            out[at++] = in[i + 1];
    return at;
}

int main(void)
{
    unsigned char in[N], coded[2 * N], out[N];
    symbolic_bytes(in, N);
    size_t length = encode(in, N, coded);
    assert(length <= 2 * N && length % 2 == 0);
    assert(decode(coded, length, out, N) == N);
    assert(memcmp(in, out, N) == 0);
    return 0;
}
