// A request that is never served.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned requests = __VERIFIER_nondet_uint();
    while (requests-- > 0) {
        unsigned char n = __VERIFIER_nondet_uchar();
        while (n > 0)
            n -= 2;
    }
    return 0;
}
