/* Every node pushed on a list of any length is numbered; the top carries the count. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long size);
extern void abort(void);
extern void reach_error(void);

struct node {
    struct node *next;
    unsigned number;
};

int main(void)
{
    struct node *top = 0;
    unsigned count = 0;
    while (__VERIFIER_nondet_bool()) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            abort();
        fresh->next = top;
        fresh->number = ++count;
        top = fresh;
    }
    if (top != 0 && top->number != count)
        reach_error();
    return 0;
}
