// picohttpparser: the request line and headers of N bytes that need not be complete.
// @sizes 1 64
// @broken 4
#include "picohttpparser/picohttpparser.c"
#include "symbolic.h"

int main(void)
{
    char *bytes = malloc(N);
    if (!bytes)
        return 0;
    symbolic_bytes((unsigned char *)bytes, N);
    const char *method, *path;
    size_t method_length, path_length, count = 2, length = N;
#ifdef BROKEN
    length++;
#endif
    int minor;
    struct phr_header headers[2];
    int used = phr_parse_request(bytes, length, &method, &method_length, &path, &path_length, &minor, headers, &count, 0);
    assert(used >= -2 && used <= N);
    if (used > 0) {
        assert(method >= bytes && method + method_length <= bytes + N);
        assert(path > method && path + path_length <= bytes + N);
        assert(minor >= 0 && minor <= 9 && count <= 2);
    }
    free(bytes);
    return 0;
}
