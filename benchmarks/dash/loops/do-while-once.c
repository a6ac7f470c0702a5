/* The body of a do-while runs once even for n = 0. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    int x = 0;
    do {
        x++;
    } while (x < n);
    if (x != n)
        reach_error();
    return 0;
}
