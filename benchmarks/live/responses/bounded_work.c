// Work that halves is done.
// holds: []({busy} -> <>{!busy})
extern unsigned __VERIFIER_nondet_uint(void);

int busy;

int main(void) {
    for (;;) {
        unsigned work = __VERIFIER_nondet_uint();
        busy = 1;
        while (work != 0)
            work >>= 1;
        busy = 0;
    }
}
