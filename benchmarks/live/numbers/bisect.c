// Bisection of an interval.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
    __VERIFIER_assume(low <= high && high < 0x7fffffffu);
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (__VERIFIER_nondet_bool())
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
