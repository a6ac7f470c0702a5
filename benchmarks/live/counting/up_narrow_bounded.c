// The counter has eight bits, and so has the bound.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n <= 255);
    for (unsigned char i = 0; i < n; i++)
        ;
    return 0;
}
