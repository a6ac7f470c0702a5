// A binary heap: N bytes go in, and come out in order.
// @sizes 1 16
// @broken 4
#include "symbolic.h"

struct heap {
    unsigned char data[N];
    size_t length;
};

static void swap(unsigned char *a, unsigned char *b)
{
    unsigned char kept = *a;
    *a = *b;
    *b = kept;
}

static void push(struct heap *h, unsigned char value)
{
    size_t at = h->length++;
    h->data[at] = value;
    while (at > 0 && h->data[(at - 1) / 2] > h->data[at]) {
        swap(&h->data[(at - 1) / 2], &h->data[at]);
        at = (at - 1) / 2;
    }
}

static unsigned char pop(struct heap *h)
{
    unsigned char least = h->data[0];
    h->data[0] = h->data[--h->length];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->length)
            return least;
#ifndef BROKEN
        if (child + 1 < h->length && h->data[child + 1] < h->data[child])
            child++;
#endif
        if (h->data[at] <= h->data[child])
            return least;
        swap(&h->data[at], &h->data[child]);
        at = child;
    }
}

int main(void)
{
    struct heap h = {{0}, 0};
    for (int i = 0; i < N; i++)
        push(&h, __VERIFIER_nondet_uchar());
    unsigned char last = 0;
    while (h.length > 0) {
        unsigned char next = pop(&h);
        assert(last <= next);
        last = next;
    }
    return 0;
}
