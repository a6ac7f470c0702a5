/* Of a list every other node is freed. */
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
    struct node *list = 0;
    for (int i = 0; i < 4; i++)
        list = push(list, i);
    while (list) {
        struct node *next = list->next;
        if (list->value % 2)
            free(list);
        list = next;
    }
    return 0;
}
