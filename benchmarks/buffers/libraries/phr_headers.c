// picohttpparser: headers alone, as they come after a line that was read before.
// @sizes 1 64
// @broken 4
#include "picohttpparser/picohttpparser.c"
#include "symbolic.h"

int main(void)
{
    char bytes[N];
    symbolic_bytes((unsigned char *)bytes, N);
    size_t count = 2;
#ifdef BROKEN
    struct phr_header headers[1];
    int used = phr_parse_headers(bytes, N + 1, headers, &count, 0);
#else
    struct phr_header headers[2];
    int used = phr_parse_headers(bytes, N, headers, &count, 0);
#endif
    assert(used >= -2 && used <= N);
    if (used > 0)
        for (size_t i = 0; i < count; i++)
            assert(headers[i].value + headers[i].value_len <= bytes + N);
    return 0;
}
