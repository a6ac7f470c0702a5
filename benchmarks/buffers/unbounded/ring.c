/* A ring of any capacity: what is put in comes round to the front again. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct ring {
    int *cells;
    unsigned capacity, first, count;
};

static void put(struct ring *ring, int value)
{
    unsigned at = ring->first + ring->count;
    if (at >= ring->capacity)
        at -= ring->capacity;
    ring->cells[at] = value;
    ring->count++;
}

static int take(struct ring *ring)
{
    int value = ring->cells[ring->first];
    ring->first++;
    if (ring->first == ring->capacity)
        ring->first = 0;
    ring->count--;
    return value;
}

int main(void)
{
    struct ring ring;
    unsigned capacity = __VERIFIER_nondet_uint();
    if (capacity == 0 || capacity > 100000)
        return 0;
    ring.cells = malloc(capacity * sizeof *ring.cells);
    if (!ring.cells)
        return 0;
    ring.capacity = capacity;
    ring.first = ring.count = 0;
    while (__VERIFIER_nondet_uchar()) {
        if (__VERIFIER_nondet_uchar() % 2) {
            if (ring.count < ring.capacity)
                put(&ring, 1);
        } else if (ring.count > 0) {
            take(&ring);
        }
        if (ring.count > capacity)
            reach_error();
    }
    free(ring.cells);
    return 0;
}
