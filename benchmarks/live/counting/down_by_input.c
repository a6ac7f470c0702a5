// Down by at least one each time.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0) {
        unsigned by = __VERIFIER_nondet_uint();
        if (by == 0 || by > n)
            by = 1;
        n -= by;
    }
    return 0;
}
