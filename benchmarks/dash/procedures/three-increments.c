/* The same procedure called three times, each time with another argument. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned increment(unsigned y)
{
    unsigned r = y + 1;
    return r;
}

static unsigned add_two(unsigned y)
{
    return increment(increment(y));
}

int main(void)
{
    unsigned x = __VERIFIER_nondet_int();
    unsigned y = increment(add_two(x));
    if (y != x + 3)
        reach_error();
    return 0;
}
