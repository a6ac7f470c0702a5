// Three loops.
// expect: termination holds
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar(), s = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i; j < n; j++)
            for (unsigned k = j; k > 0; k--)
                s++;
    return 0;
}
