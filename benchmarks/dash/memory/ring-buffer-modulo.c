/* A ring buffer whose index is taken modulo one too many. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct ring {
    unsigned head, tail;
    unsigned char bytes[16];
};

static struct ring *ring;
static struct ring storage;

static int put(unsigned char byte)
{
    if (ring->head - ring->tail >= 17)
        return 0;
    ring->bytes[ring->head++ % 17] = byte;
    return 1;
}

int main(void)
{
    ring = &storage;
    for (int i = 0; i < 20; i++)
        if (__VERIFIER_nondet_bool())
            put(i);
    return 0;
}
