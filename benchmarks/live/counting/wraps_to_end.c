// Only by wrapping around does it become small: bit-precise termination.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x > 10)
        x++;
    return 0;
}
