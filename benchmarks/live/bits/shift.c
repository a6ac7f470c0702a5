// Shifting out all bits.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), bits = 0;
    while (n) {
        bits += n & 1;
        n >>= 1;
    }
    return 0;
}
