// Two values are swapped, and their sum falls.
// expect: termination holds
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short x = __VERIFIER_nondet_ushort(), y = __VERIFIER_nondet_ushort();
    while (x > 0 && y > 0) {
        unsigned short old = x;
        x = y;
        y = old - 1;
    }
    return 0;
}
