/* A walk around a ring of three nodes, each worth one. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

struct node {
    struct node *next;
    unsigned worth;
};

int main(void)
{
    struct node first, second, third;
    first.next = &second;
    second.next = &third;
    third.next = &first;
    first.worth = second.worth = third.worth = 1;
    unsigned steps = __VERIFIER_nondet_uint();
    unsigned sum = 0;
    struct node *at = &first;
    for (unsigned i = 0; i < steps; i++) {
        sum += at->worth;
        at = at->next;
    }
    if (sum != steps)
        reach_error();
    return 0;
}
