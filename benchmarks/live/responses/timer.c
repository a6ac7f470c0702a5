// A timer that was set runs out.
// holds: []({armed} -> <>{fired})
extern unsigned char __VERIFIER_nondet_uchar(void);

int armed, fired;

int main(void) {
    for (;;) {
        unsigned char ticks = __VERIFIER_nondet_uchar();
        fired = 0;
        armed = 1;
        do {
            ticks++;
        } while (ticks != 0);
        fired = 1;
        armed = 0;
    }
}
