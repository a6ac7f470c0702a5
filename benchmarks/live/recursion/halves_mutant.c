// Two elements are halved into none and two.
// expect: termination violated
extern unsigned __VERIFIER_nondet_uint(void);

int total;

static void halves(unsigned low, unsigned high) {
    if (high == low)
        return;
    total++;
    unsigned middle = low + (high - low) / 2;
    halves(middle, high);
    halves(low, middle);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    halves(0, n);
    return 0;
}
