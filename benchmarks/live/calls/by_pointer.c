// The counter is changed through a pointer.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

static void less(unsigned *n) {
    *n -= 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0)
        less(&n);
    return 0;
}
