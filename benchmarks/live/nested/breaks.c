// Ways out of the middle.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (;;) {
        if (n == 0)
            break;
        n--;
        if (n % 7 == 3)
            continue;
        if (__VERIFIER_nondet_bool())
            return 0;
    }
    return 0;
}
