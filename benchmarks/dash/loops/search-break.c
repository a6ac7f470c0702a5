/* A search that may stop early stays in its range. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    int i;
    for (i = 0; i < n; i++) {
        if (__VERIFIER_nondet_bool())
            break;
    }
    if (i < 0 || i > n)
        reach_error();
    return 0;
}
