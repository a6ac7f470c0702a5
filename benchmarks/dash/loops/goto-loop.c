/* A loop made of labels, entered in the middle. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned up = 0, down = 100;
    goto test;
again:
    up++;
    down--;
test:
    if (down > 0 && __VERIFIER_nondet_bool())
        goto again;
    if (up + down != 100)
        reach_error();
    return 0;
}
