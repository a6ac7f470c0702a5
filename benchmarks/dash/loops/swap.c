/* Two different numbers change places in every round and stay different. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x != y);
    while (__VERIFIER_nondet_bool()) {
        int t = x;
        x = y;
        y = t;
    }
    if (x == y)
        reach_error();
    return 0;
}
