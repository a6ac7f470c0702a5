// After the order to stop it stops, and stays stopped. Changed so that it does not hold.
// violated: []({stop} -> <>[]{stopped})
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int stop, stopped;

int main(void) {
    unsigned left = __VERIFIER_nondet_uint();
    while (!stop)
        stop = __VERIFIER_nondet_bool();
    while (left > 0)
        left = __VERIFIER_nondet_uint();
    stopped = 1;
    return 0;
}
