// Somebody who always answers with the next number keeps it going.
// expect: termination violated
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned expected = 1;
    while (__VERIFIER_nondet_uint() == expected)
        expected = expected * 2 + 1;
    return 0;
}
