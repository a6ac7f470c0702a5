// mjson: its patterns with `*`, `?` and `#` over two halves of the input; it looks at the byte behind its text.
// @sizes 2 24
// @broken 6
// @folder mjson/src
#include "mjson/src/mjson.c"
#include "symbolic.h"

int main(void)
{
    char bytes[N + 1];
    symbolic_text(bytes, N);
    int half = N / 2;
    int found = mjson_globmatch(bytes, half, bytes + half, N - half);
#ifdef BROKEN
    int plain = 1;
    for (int i = 0; i < half; i++)
        if (bytes[i] != bytes[half + i])
            plain = 0;
    assert(!found || plain);
#else
    assert(found >= 0 && found <= N);
#endif
    return 0;
}
