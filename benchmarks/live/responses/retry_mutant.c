// A message is sent again until it is acknowledged, a bounded number of times. Changed so that it does not hold.
// violated: []({sent} -> <>{acked || gave_up})
extern _Bool __VERIFIER_nondet_bool(void);

int sent, acked, gave_up;

int main(void) {
    for (;;) {
        unsigned tries = 0;
        sent = 1;
        acked = 0;
        gave_up = 0;
        while (!acked && tries < 8) {
            acked = __VERIFIER_nondet_bool();
            tries ^= 1;
        }
        if (!acked)
            gave_up = 1;
        sent = 0;
    }
}
