// buffer: a text of ASCII that does not begin with a blank is trimmed and gets another one behind it.
// @sizes 1 32
// @broken 3
#include "buffer/buffer.c"
#include "symbolic.h"

int main(void)
{
    char text[N + 1];
    symbolic_text(text, N);
    for (int i = 0; i < N; i++)
        text[i] &= 0x7f;
    text[0] = 'a';
#ifdef BROKEN
    text[N] = 'x';
#endif
    buffer_t *buffer = buffer_new_with_copy(text);
    if (!buffer)
        return 0;
    buffer_trim(buffer);
    size_t trimmed = buffer_length(buffer);
    assert(trimmed <= strlen(text));
    if (buffer_append(buffer, "ab") == 0)
        assert(buffer_length(buffer) == trimmed + 2);
    buffer_free(buffer);
    return 0;
}
