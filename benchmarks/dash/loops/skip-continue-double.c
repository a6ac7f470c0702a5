/* A round that is skipped late is counted as well. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned skipped = 0, counted = 0;
    for (unsigned i = 0; i < n; i++) {
        if (__VERIFIER_nondet_bool()) {
            skipped++;
            if (i < 4)
                continue;
        }
        counted++;
    }
    if (skipped + counted != n)
        reach_error();
    return 0;
}
