// Ackermann's function: the first argument falls, or the second while the first stays.
// expect: termination holds
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    return ackermann(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()) == 0;
}
