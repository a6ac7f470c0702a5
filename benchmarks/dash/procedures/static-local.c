/* A static local numbers the calls; every number is new. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static unsigned long long next_number(void)
{
    static unsigned long long last;
    return ++last;
}

int main(void)
{
    unsigned before = 0;
    for (unsigned i = 0; i < 1000; i++) {
        unsigned now = next_number();
        if (now <= before)
            reach_error();
        before = now;
    }
    return 0;
}
