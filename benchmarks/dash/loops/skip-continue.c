/* Skipped rounds and counted rounds together are all rounds. */
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
            continue;
        }
        counted++;
    }
    if (skipped + counted != n)
        reach_error();
    return 0;
}
