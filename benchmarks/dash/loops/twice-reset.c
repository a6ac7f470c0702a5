/* x is reset without y. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_bool()) {
        x += 2;
        y++;
        if (x == 10)
            x = 0;
    }
    if (x != 2 * y)
        reach_error();
    return 0;
}
