// A server serves for ever.
// expect: termination violated
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (;;) {
        unsigned char n = __VERIFIER_nondet_uchar();
        while (n > 0)
            n--;
    }
    return 0;
}
