// A counter up to a bound that does not change.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n)
        i++;
    return 0;
}
