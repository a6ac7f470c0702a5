// A loop by goto.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    again:
    if (n > 0) {
        n--;
        goto again;
    }
    return 0;
}
