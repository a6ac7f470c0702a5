/* What comes out goes round one too late. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct queue {
    unsigned char *data;
    size_t size, in, out;
};

static int push(struct queue *q, unsigned char c)
{
    size_t next = q->in + 1 == q->size ? 0 : q->in + 1;
    if (next == q->out)
        return 0;
    q->data[q->in] = c;
    q->in = next;
    return 1;
}

static int pop(struct queue *q)
{
    if (q->in == q->out)
        return -1;
    int c = q->data[q->out++];
    if (q->out > q->size)
        q->out = 0;
    return c;
}

int main(void)
{
    struct queue q;
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 2 || n > 100000)
        return 0;
    q.data = malloc(n);
    if (!q.data)
        return 0;
    q.size = n;
    q.in = q.out = 0;
    for (unsigned i = __VERIFIER_nondet_uint(); i > 0; i--)
        if (__VERIFIER_nondet_uchar() & 1)
            push(&q, 1);
        else
            pop(&q);
    if (q.in >= q.size || q.out >= q.size)
        reach_error();
    free(q.data);
    return 0;
}
