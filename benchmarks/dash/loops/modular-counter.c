/* A ring index stays in its ring. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned slot = 0;
    while (__VERIFIER_nondet_bool())
        slot = (slot + 1) % 7;
    if (slot >= 7)
        reach_error();
    return 0;
}
