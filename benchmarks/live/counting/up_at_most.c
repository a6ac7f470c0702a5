// With <= the largest bound is never passed.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i <= n)
        i++;
    return 0;
}
