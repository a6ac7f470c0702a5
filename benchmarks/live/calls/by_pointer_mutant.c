// The pointer is to another counter.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

static void less(unsigned *n) {
    *n -= 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = 5;
    while (n > 0)
        less(&m);
    return 0;
}
