/* A part of a record is forgotten. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

struct pair {
    int *a, *b;
};

int main(void)
{
    struct pair *p = malloc(sizeof *p);
    p->a = malloc(4);
    p->b = malloc(4);
    free(p->a);
    free(p);
    return 0;
}
