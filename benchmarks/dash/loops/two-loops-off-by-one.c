/* The second loop takes one round too many. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 1000);
    int height = 0;
    for (int i = 0; i < n; i++)
        height++;
    for (int i = 0; i <= n; i++)
        height--;
    if (height != 0)
        reach_error();
    return 0;
}
