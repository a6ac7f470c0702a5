// The first never grows; while it stays, the second falls.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    while (i > 0 && j > 0) {
        if (__VERIFIER_nondet_bool()) {
            i--;
            j = __VERIFIER_nondet_uint();
        } else {
            j--;
        }
    }
    return 0;
}
