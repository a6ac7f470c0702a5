/* The number of rounds is chosen from a range. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= n && n <= 1000000);
    int rounds = 0;
    while (rounds != n)
        rounds++;
    if (rounds < 1 || rounds > 1000000)
        reach_error();
    return 0;
}
