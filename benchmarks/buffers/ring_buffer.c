// A ring of eight bytes under N operations: what comes out is what went in, in order.
// @sizes 1 64
// @broken 12
#include "symbolic.h"

#define ROOM 8

struct ring {
    unsigned char data[ROOM];
    unsigned head, tail;
};

static int put(struct ring *r, unsigned char c)
{
    unsigned next = (r->head + 1) % ROOM;
#ifndef BROKEN
    if (next == r->tail)
        return 0;
#endif
    r->data[r->head] = c;
    r->head = next;
    return 1;
}

static int get(struct ring *r, unsigned char *c)
{
    if (r->head == r->tail)
        return 0;
    *c = r->data[r->tail];
    r->tail = (r->tail + 1) % ROOM;
    return 1;
}

int main(void)
{
    struct ring r = {{0}, 0, 0};
    unsigned char operations[N], written = 0, read = 0;
    symbolic_bytes(operations, N);
    for (int i = 0; i < N; i++) {
        unsigned char c = 0;
        if (operations[i] & 1) {
            if (put(&r, written))
                written++;
        } else if (get(&r, &c)) {
            assert(c == read);
            read++;
        }
        assert((unsigned char)(written - read) < ROOM);
    }
    return 0;
}
