// mjson: base64 decoded into a buffer that is as large as its documentation asks.
// @sizes 4 64
// @broken 8
// @folder mjson/src
#include "mjson/src/mjson.c"
#include "symbolic.h"

int main(void)
{
    char text[N];
    symbolic_bytes((unsigned char *)text, N);
#ifdef BROKEN
    char *decoded = malloc(N / 4 * 3 - 1);
#else
    char *decoded = malloc(N / 4 * 3 + 1);
#endif
    if (!decoded)
        return 0;
    int length = mjson_base64_dec(text, N, decoded, N / 4 * 3 + 1);
    assert(length >= 0 && length <= N / 4 * 3);
    free(decoded);
    return 0;
}
