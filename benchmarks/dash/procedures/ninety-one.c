/* A nested recursion whose answer is 91 for every n up to 101. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

static int ninety_one(int n)
{
    if (n > 100)
        return n - 10;
    return ninety_one(ninety_one(n + 11));
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n <= 101);
    if (ninety_one(n) != 91)
        reach_error();
    return 0;
}
