// A list kept in order: N bytes are inserted, those that are odd removed, and all nodes freed.
// @sizes 1 24
// @broken 3
#include "symbolic.h"

struct node {
    unsigned char value;
    struct node *next;
};

static struct node *insert(struct node *head, unsigned char value)
{
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return head;
    fresh->value = value;
    struct node **link = &head;
    while (*link && (*link)->value < value)
        link = &(*link)->next;
    fresh->next = *link;
    *link = fresh;
    return head;
}

static struct node *without_odd(struct node *head)
{
    struct node **link = &head;
    while (*link) {
        struct node *here = *link;
        if (here->value & 1) {
#ifdef BROKEN
            free(here);
            *link = here->next;
#else
            *link = here->next;
            free(here);
#endif
        } else {
            link = &here->next;
        }
    }
    return head;
}

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < N; i++)
        head = insert(head, __VERIFIER_nondet_uchar());
    head = without_odd(head);
    for (struct node *n = head; n; n = n->next) {
        assert((n->value & 1) == 0);
        assert(!n->next || n->value <= n->next->value);
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
