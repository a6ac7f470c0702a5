/* A double holds every int. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(); if (!((int)(double)i == i))
        reach_error();
    return 0;
}
