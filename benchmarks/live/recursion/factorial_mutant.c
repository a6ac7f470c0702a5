// Odd numbers step over zero.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);

static int factorial(int n) {
    return n == 0 ? 1 : n * factorial(n - 2);
}

int main(void) {
    return factorial(__VERIFIER_nondet_int()) == 0;
}
