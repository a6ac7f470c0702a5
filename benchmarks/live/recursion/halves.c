// A loop inside of a function that calls itself twice.
// expect: termination holds
extern unsigned __VERIFIER_nondet_uint(void);

int total;

static void halves(unsigned low, unsigned high) {
    if (high - low < 2)
        return;
    for (unsigned i = low; i < high; i++)
        total++;
    unsigned middle = low + (high - low) / 2;
    halves(low, middle);
    halves(middle, high);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    halves(0, n);
    return 0;
}
