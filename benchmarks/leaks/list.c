/* A list that a global points to. */
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

static struct node *list;

int main(void)
{
    for (int i = 0; i < 3 && __VERIFIER_nondet_int(); i++)
        list = push(list, i);
    return 0;
}
