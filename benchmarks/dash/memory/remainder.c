/* A bucket index in a table whose size can shrink to zero. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    unsigned buckets = 4;
    unsigned key = __VERIFIER_nondet_uint();
    while (__VERIFIER_nondet_bool())
        buckets = __VERIFIER_nondet_bool() ? buckets * 2 : buckets / 2;
    return key % buckets;
}
