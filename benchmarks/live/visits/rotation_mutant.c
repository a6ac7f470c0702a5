// Three numbers move round, and the first gets back what it lost.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
    while (x > 0) {
        unsigned last = x - 1;
        x = y;
        y = z;
        z = last + 1;
    }
    return 0;
}
