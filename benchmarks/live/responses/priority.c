// The lower priority waits until the higher one has nothing left.
// holds: []({low} -> <>{served})
extern unsigned char __VERIFIER_nondet_uchar(void);

int low, served;

int main(void) {
    for (;;) {
        unsigned char high = __VERIFIER_nondet_uchar();
        low = 1;
        served = 0;
        while (high > 0)
            high = high - 1;
        served = 1;
        low = 0;
    }
}
