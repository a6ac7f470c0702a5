// Doubling, and one more.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n)
        n = 2 * n + 1;
    return 0;
}
