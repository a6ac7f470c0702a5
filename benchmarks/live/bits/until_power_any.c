// Beyond the largest power of two there is none.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), p = 1;
    while (p < n)
        p *= 2;
    return 0;
}
