// Each round clears a flag.
// expect: termination holds
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char left = __VERIFIER_nondet_uchar();
    while (left) {
        if (left & 1)
            left &= 0xfe;
        else if (left & 2)
            left &= 0xfc;
        else
            left = 0;
    }
    return 0;
}
