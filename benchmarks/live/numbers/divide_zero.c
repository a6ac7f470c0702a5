// Division by zero, by repeated subtraction.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint(), q = 0;
    while (n >= d) {
        n -= d;
        q++;
    }
    return 0;
}
