/* A ring buffer whose indices wrap around by masking. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct ring {
    unsigned head, tail;
    unsigned char bytes[16];
};

static int put(struct ring *ring, unsigned char byte)
{
    if (ring->head - ring->tail == 16)
        return 0;
    ring->bytes[ring->head++ & 15] = byte;
    return 1;
}

static int get(struct ring *ring)
{
    if (ring->head == ring->tail)
        return -1;
    return ring->bytes[ring->tail++ & 15];
}

int main(void)
{
    struct ring ring;
    ring.head = ring.tail = __VERIFIER_nondet_uint();
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            put(&ring, 1);
        else
            get(&ring);
    }
    return 0;
}
