/* Pieces of text are put at the end of a text as long as there is room. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* A text of any length, with its end. */
static char *text_of(size_t n)
{
    char *text = malloc(n + 1);
    if (!text)
        abort();
    for (size_t i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_uchar();
    text[n] = 0;
    return text;
}

struct builder {
    char *text;
    size_t length, room;
};

static int append(struct builder *b, const char *s)
{
    while (*s) {
        if (b->length + 1 >= b->room)
            return 0;
        b->text[b->length++] = *s++;
    }
    b->text[b->length] = 0;
    return 1;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), room = __VERIFIER_nondet_uint();
    if (n > 100000 || room == 0 || room > 100000)
        return 0;
    char *piece = text_of(n);
    struct builder b = {malloc(room), 0, room};
    if (!b.text)
        abort();
    while (append(&b, piece) && __VERIFIER_nondet_uchar())
        ;
    if (b.length >= b.room)
        reach_error();
    free(b.text);
    free(piece);
    return 0;
}
