// Division by repeated subtraction.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint(), q = 0;
    __VERIFIER_assume(d > 0);
    while (n >= d) {
        n -= d;
        q++;
    }
    return 0;
}
