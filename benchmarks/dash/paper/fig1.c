/*
 * Figure 1 of the paper: p may alias p1 or p2, but only after the test.
 * A proof needs to know that p does not alias them where it is written through.
 */
#include <stdlib.h>

extern void reach_error(void);

typedef struct DE {
    int lock;
    int y;
} DE;

void prove_me1(DE *p, DE *p1, DE *p2)
{
    p1 = malloc(sizeof(DE));
    p1->lock = 0;
    p2 = malloc(sizeof(DE));
    p2->lock = 0;
    p->lock = 1;
    if (p1->lock == 1 || p2->lock == 1)
        reach_error();
    p = p1;
    p = p2;
}

int main(void)
{
    DE de, de1, de2;
    prove_me1(&de, &de1, &de2);
    return 0;
}
