// One goes up, one goes down, until they meet.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned i = 0, j = __VERIFIER_nondet_uint();
    while (i < j) {
        i++;
        j--;
    }
    return 0;
}
