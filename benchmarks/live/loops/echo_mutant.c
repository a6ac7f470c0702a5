// Somebody who always answers with the next number keeps it going. Changed so that it ends.
// expect: termination holds
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned expected = 1;
    while (__VERIFIER_nondet_uint() == expected && expected < 1000000)
        expected = expected * 2 + 1;
    return 0;
}
