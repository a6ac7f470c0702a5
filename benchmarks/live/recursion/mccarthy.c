// McCarthy's 91 function: that it ends rests on what the inner call returns.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

static int mccarthy(int n) {
    if (n > 100)
        return n - 10;
    return mccarthy(mccarthy(n + 11));
}

int main(void) {
    return mccarthy(__VERIFIER_nondet_int()) >= 91;
}
