// The loop has no end but `exit`.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

extern void exit(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (;;) {
        if (n-- == 0)
            exit(0);
    }
    return 0;
}
