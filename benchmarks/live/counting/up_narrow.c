// The counter has eight bits, the bound more.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (unsigned char i = 0; i < n; i++)
        ;
    return 0;
}
