// The inner loop uses up what the outer one goes over.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0) {
        n--;
        while (n > 0 && __VERIFIER_nondet_bool())
            n--;
    }
    return 0;
}
