/* A ring that nothing outside points to. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->value = value;
    return fresh;
}

int main(void)
{
    struct node *a = push(0, 1), *b = push(a, 2);
    a->next = b;
    return 0;
}
