// The lowest bit that is set is cleared: the population count of Wegner.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), bits = 0;
    while (n) {
        n &= n - 1;
        bits++;
    }
    return 0;
}
