// Some numbers go up as far as they go down.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned next(unsigned n) {
    return n >= 6 ? n - 6 : n + 3;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n != 0)
        n = next(n);
    return 0;
}
