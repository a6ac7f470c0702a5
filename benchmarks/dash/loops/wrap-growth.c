/* A number that grows is larger afterwards, unless it wraps around. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned start = __VERIFIER_nondet_uint();
    unsigned now = start;
    while (__VERIFIER_nondet_bool())
        now += 1000;
    if (now < start)
        reach_error();
    return 0;
}
