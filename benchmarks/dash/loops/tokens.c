/* Tokens move between three places; none is lost. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned all = __VERIFIER_nondet_uint();
    unsigned idle = all, waiting = 0, working = 0;
    while (__VERIFIER_nondet_bool()) {
        if (idle > 0 && __VERIFIER_nondet_bool()) {
            idle--;
            waiting++;
        } else if (waiting > 0 && __VERIFIER_nondet_bool()) {
            waiting--;
            working++;
        } else if (working > 0) {
            working--;
            idle++;
        }
    }
    if (idle + waiting + working != all)
        reach_error();
    return 0;
}
