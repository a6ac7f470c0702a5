// No unsigned number is below zero.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n >= 0)
        n--;
    return 0;
}
