// A loop by goto that jumps over its counter.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n > 5);
    again:
    if (n > 5)
        goto again;
    n--;
    return 0;
}
