/* The record is freed before what it leads to. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

struct pair {
    int *a, *b;
};

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    p->a = malloc(4);
    p->b = p->a;
    free(p);
    return 0;
}
