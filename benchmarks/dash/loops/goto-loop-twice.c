/* One of the two ways back to the top forgets a counter. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned up = 0, down = 100;
top:
    if (down == 0)
        goto done;
    down--;
    if (__VERIFIER_nondet_bool())
        goto top;
    up++;
    goto top;
done:
    if (up < 90)
        reach_error();
    return 0;
}
