// crypto-algorithms: what base64_encode makes of any bytes, base64_decode undoes.
// @sizes 1 48
// @broken 3
#include "crypto-algorithms/base64.c"
#include "symbolic.h"

int main(void)
{
    BYTE plain[N], coded[(N + 2) / 3 * 4], again[(N + 2) / 3 * 3];
    symbolic_bytes(plain, N);
    size_t length = base64_encode(plain, coded, N, 0);
    assert(length == sizeof coded);
    size_t back = base64_decode(coded, again, length);
#ifdef BROKEN
    assert(back < N);
#else
    assert(back == N);
#endif
    for (size_t i = 0; i < N; i++)
        assert(again[i] == plain[i]);
    return 0;
}
