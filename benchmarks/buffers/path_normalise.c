// An absolute path without `.`, `..` and doubled slashes: no longer than before, and still absolute.
// @sizes 1 48
// @broken 4
#include "symbolic.h"

static size_t normalise(const char *path, char *out)
{
    size_t length = 0;
    out[length++] = '/';
    while (*path) {
        while (*path == '/')
            path++;
        const char *part = path;
        while (*path && *path != '/')
            path++;
        size_t size = (size_t)(path - part);
        if (size == 0 || (size == 1 && part[0] == '.'))
            continue;
        if (size == 2 && part[0] == '.' && part[1] == '.') {
#ifdef BROKEN
            length--;
#else
            if (length > 1)
                length--;
#endif
            while (out[length - 1] != '/')
                length--;
            continue;
        }
        memcpy(out + length, part, size);
        length += size;
        out[length++] = '/';
    }
    if (length > 1)
        length--;
    out[length] = 0;
    return length;
}

int main(void)
{
    char path[N + 2], out[N + 3];
    path[0] = '/';
    symbolic_text(path + 1, N);
    size_t length = normalise(path, out);
    assert(1 <= length && length <= N + 1);
    assert(out[0] == '/' && strlen(out) == length);
    for (size_t i = 0; i + 1 < length; i++)
        assert(out[i] != '/' || out[i + 1] != '/');
    return 0;
}
