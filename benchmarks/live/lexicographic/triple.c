// Three counters, each of which gives the next new fuel.
// expect: termination holds
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
    while (a > 0) {
        if (c > 0) {
            c--;
        } else if (b > 0) {
            b--;
            c = __VERIFIER_nondet_uchar();
        } else {
            a--;
            b = __VERIFIER_nondet_uchar();
        }
    }
    return 0;
}
