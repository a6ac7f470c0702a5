// Down by zero is no progress.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0) {
        unsigned by = __VERIFIER_nondet_uint();
        if (by > n)
            by = n;
        n -= by;
    }
    return 0;
}
