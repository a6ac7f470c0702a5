/* The bound is one too small: 1 + 2 + ... + 20 is 210. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= n && n <= 20);
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    if (sum > 209)
        reach_error();
    return 0;
}
