// The lowest bit is turned over.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n)
        n ^= 1;
    return 0;
}
