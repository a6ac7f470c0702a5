// Counting ends in the last state. Changed so that it does not hold.
// violated: [](empty -> {i == n})
extern unsigned char __VERIFIER_nondet_uchar(void);

int i, n;

int main(void) {
    n = __VERIFIER_nondet_uchar();
    for (i = 0; i + 1 < n; i++)
        ;
    return 0;
}
