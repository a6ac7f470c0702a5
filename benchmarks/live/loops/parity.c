// An even number stays even.
// holds: []({e % 2 == 0})
extern unsigned __VERIFIER_nondet_uint(void);

int e;

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0) {
        n--;
        e = e + 2;
    }
    return 0;
}
