/* The same bound is missed by one round more. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float t = 0;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 21);
    for (int k = 0; k < n; k++)
        t += 0.5f;
    if (!(t <= 10.0f))
        reach_error();
    return 0;
}
