// Halving a signed number ends at zero.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n)
        n /= 2;
    return 0;
}
