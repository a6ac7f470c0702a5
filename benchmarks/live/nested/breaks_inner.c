// The way out leaves the inner loop only.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (;;) {
        for (;;) {
            if (n == 0)
                break;
            n--;
        }
    }
    return 0;
}
