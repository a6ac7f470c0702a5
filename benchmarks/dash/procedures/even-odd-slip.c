/* Mutual recursion with a wrong base: three counts as even. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int odd(unsigned n);

static int even(unsigned n)
{
    return n == 0 || n == 3 ? 1 : odd(n - 1);
}

static int odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 20 && even(n) && odd(n))
        reach_error();
    if (n < 20 && even(n) != (n % 2 == 0))
        reach_error();
    return 0;
}
