// The digits of a number.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), digits = 0;
    do {
        digits++;
        n /= 10;
    } while (n > 0);
    return 0;
}
