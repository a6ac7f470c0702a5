// picohttpparser: a body in chunks, decoded in place.
// @sizes 1 64
// @broken 6
#include "picohttpparser/picohttpparser.c"
#include "symbolic.h"

int main(void)
{
    char *bytes = malloc(N);
    if (!bytes)
        return 0;
    symbolic_bytes((unsigned char *)bytes, N);
    struct phr_chunked_decoder decoder = {0};
    size_t length = N;
    decoder.consume_trailer = 1;
    ssize_t rest = phr_decode_chunked(&decoder, bytes, &length);
    assert(rest >= -2);
    if (rest != -1) {
        assert(length <= N);
#ifdef BROKEN
        assert(rest != 0 || length == 0);
#else
        assert(rest < 0 || rest + length <= N);
#endif
    }
    free(bytes);
    return 0;
}
