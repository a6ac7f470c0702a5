// Even numbers do not pass zero.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n % 2 == 0);
    while (n != 0)
        n -= 2;
    return 0;
}
