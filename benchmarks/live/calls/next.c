// The step is made by a function.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned next(unsigned n) {
    return n > 10 ? n - 10 : n - 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n != 0)
        n = next(n);
    return 0;
}
