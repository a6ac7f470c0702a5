// Low bits are counted out.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n & 255)
        n--;
    return 0;
}
