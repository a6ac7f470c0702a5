// A string that grows: bytes are appended, doubled when they are quotes, and the text ends with a zero.
// @sizes 1 64
// @broken 4
#include "symbolic.h"

struct buffer {
    char *text;
    size_t length, room;
};

static int append(struct buffer *b, const char *s, size_t count)
{
    size_t wanted = b->length + count + 1;
    if (wanted > b->room) {
#ifdef BROKEN
        size_t room = wanted == 1 ? 1 : wanted - 1;
#else
        size_t room = wanted + wanted / 2;
#endif
        char *text = realloc(b->text, room);
        if (!text)
            return 0;
        b->text = text;
        b->room = room;
    }
    memcpy(b->text + b->length, s, count);
    b->length += count;
    b->text[b->length] = 0;
    return 1;
}

int main(void)
{
    struct buffer b = {NULL, 0, 0};
    char in[N + 1];
    size_t quotes = 0;
    symbolic_text(in, N);
    if (!append(&b, "", 0))
        return 0;
    for (const char *c = in; *c; c++) {
        if (*c == '"') {
            quotes++;
            if (!append(&b, "\"\"", 2))
                break;
        } else if (!append(&b, c, 1)) {
            break;
        }
        assert(b.length < b.room);
    }
    assert(strlen(b.text) == b.length);
    assert(b.length <= N + quotes);
    free(b.text);
    return 0;
}
