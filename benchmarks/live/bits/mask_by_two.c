// An odd number has a low bit for ever.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n & 255)
        n -= 2;
    return 0;
}
