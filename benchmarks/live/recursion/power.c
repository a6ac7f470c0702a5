// The exponent is halved, in a function that a loop calls.
// expect: termination holds
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned power(unsigned base, unsigned exponent) {
    if (exponent == 0)
        return 1;
    unsigned half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}

int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 10; i++)
        sum += power(i, __VERIFIER_nondet_uint());
    return sum == 0;
}
