// The inner loop may give back what was taken.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 1000);
    while (n > 0) {
        n--;
        while (n < 1000 && __VERIFIER_nondet_bool())
            n++;
    }
    return 0;
}
