// A loop in a loop.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            s++;
    return 0;
}
