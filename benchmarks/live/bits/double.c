// Doubling shifts out all bits.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n)
        n *= 2;
    return 0;
}
