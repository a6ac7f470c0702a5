/* A counter down to a bound above the least number. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 100; i > n && i > -100; i--)
        ;
    return 0;
}
