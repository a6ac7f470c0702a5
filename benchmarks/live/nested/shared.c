// The inner loop sets the counter of the outer one back.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 2 && n < 1000);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            if (i == n - 1 && j == 2)
                i = 0;
    return 0;
}
