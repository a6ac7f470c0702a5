/* The index of the writer comes to the size before it wraps around. */
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct ring {
    unsigned char *data;
    size_t size, head, tail;
};

static int put(struct ring *r, unsigned char c)
{
    size_t next = r->head == r->size ? 0 : r->head + 1;
    if (next == r->tail)
        return 0;
    r->data[r->head] = c;
    r->head = next;
    return 1;
}

static int get(struct ring *r, unsigned char *c)
{
    if (r->head == r->tail)
        return 0;
    *c = r->data[r->tail];
    r->tail = (r->tail + 1) % r->size;
    return 1;
}

int main(void)
{
    unsigned size = __VERIFIER_nondet_uint(), rounds = __VERIFIER_nondet_uint();
    if (size < 2 || size > 100000)
        return 0;
    struct ring r = {calloc(size, 1), size, 0, 0};
    if (!r.data)
        return 0;
    for (unsigned i = 0; i < rounds; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c & 1)
            put(&r, c);
        else
            get(&r, &c);
        if (r.head >= size || r.tail >= size)
            reach_error();
    }
    free(r.data);
    return 0;
}
