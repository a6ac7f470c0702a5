// The root by odd numbers.
// expect: termination holds
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short n = __VERIFIER_nondet_ushort();
    unsigned root = 0, odd = 1, square = 1;
    while (square <= n) {
        root++;
        odd += 2;
        square += odd;
    }
    return 0;
}
