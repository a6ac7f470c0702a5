// The argument falls to one.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

static int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

int main(void) {
    return factorial(__VERIFIER_nondet_int()) == 0;
}
