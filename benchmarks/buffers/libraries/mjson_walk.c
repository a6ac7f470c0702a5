// mjson: N bytes with a zero behind them, without which numbers are read too far.
// @sizes 1 32
// @broken 3
// @folder mjson/src
#include "mjson/src/mjson.c"
#include "symbolic.h"

static int seen(int token, const char *text, int length, int offset, int size, void *data)
{
    (void)text;
    (void)token;
    *(int *)data += 1;
    assert(offset >= 0 && size >= 0 && offset + size <= length);
    return 0;
}

int main(void)
{
    char *bytes = malloc(N + 1);
    if (!bytes)
        return 0;
    symbolic_text(bytes, N);
    int tokens = 0, length = N;
#ifdef BROKEN
    length += 2;
#endif
    int used = mjson(bytes, length, seen, &tokens);
    assert(used <= N);
    assert(used <= 0 || tokens > 0);
    free(bytes);
    return 0;
}
