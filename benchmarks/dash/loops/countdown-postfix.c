/* After `while (n--)` the counter has gone below zero. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    while (n--)
        ;
    if (n + 1 != 0)
        reach_error();
    return 0;
}
