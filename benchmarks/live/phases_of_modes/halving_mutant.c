// First a mode, then another one, then the last. Changed so that it does not hold.
// violated: (keep({mode == 0}) ; keep({mode == 1}) ; []{mode == 2})
extern unsigned __VERIFIER_nondet_uint(void);

int mode;

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    mode = 1;
    while (n)
        n ^= 1;
    mode = 2;
    return 0;
}
