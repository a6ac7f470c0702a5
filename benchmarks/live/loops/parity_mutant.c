// An even number stays even. Changed so that it does not hold.
// violated: []({e % 2 == 0})
extern unsigned __VERIFIER_nondet_uint(void);

int e;

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    while (n > 0) {
        n--;
        e = e + (n == 5 ? 3 : 2);
    }
    return 0;
}
