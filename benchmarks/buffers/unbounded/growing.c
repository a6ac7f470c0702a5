/* A text grows byte by byte, from no buffer at all. */
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct text {
    char *data;
    size_t length, room;
};

static int append(struct text *t, char c)
{
    if (t->length + 1 >= t->room) {
        size_t room = t->room ? 2 * t->room : 16;
        char *data = realloc(t->data, room);
        if (!data)
            return 0;
        t->data = data;
        t->room = room;
    }
    t->data[t->length++] = c;
    t->data[t->length] = 0;
    return 1;
}

int main(void)
{
    struct text t = {NULL, 0, 0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (!append(&t, (char)__VERIFIER_nondet_uchar()))
            break;
        if (t.length >= t.room)
            reach_error();
    }
    free(t.data);
    return 0;
}
