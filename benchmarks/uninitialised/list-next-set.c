/* The last node of a list points to null. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
struct node { struct node *next; int value; };

int main(void)
{
    struct node *head = 0;
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->value = __VERIFIER_nondet_int();
        n->next = head;
        head = n;
    }
    int count = 0;
    for (struct node *n = head; n; n = n->next)
        count++;
    return count == 2;
}
