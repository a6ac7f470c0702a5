// A number in three digits is counted down.
// expect: termination holds
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char high = __VERIFIER_nondet_uchar(), low = __VERIFIER_nondet_uchar();
    while (high > 0 || low > 0) {
        if (low > 0) {
            low--;
        } else {
            high--;
            low = 9;
        }
    }
    return 0;
}
