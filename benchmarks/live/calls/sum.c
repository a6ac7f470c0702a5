// A function with a loop is called in a loop.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

static int sum(int k) {
    int s = 0;
    for (int j = 0; j < k; j++)
        s += j;
    return s;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < n; i++)
        s += sum(i);
    return 0;
}
