// Up to the next power of two.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), p = 1;
    __VERIFIER_assume(n <= 0x80000000u);
    while (p < n)
        p *= 2;
    return 0;
}
