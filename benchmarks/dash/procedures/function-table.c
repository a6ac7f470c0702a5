/* Operations chosen from a table of function pointers keep a number in its bounds. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static unsigned up(unsigned level)
{
    return level < 10 ? level + 1 : level;
}

static unsigned down(unsigned level)
{
    return level > 0 ? level - 1 : level;
}

static unsigned clear(unsigned level)
{
    return 0;
}

static unsigned (*const operations[3])(unsigned) = {up, down, clear};

int main(void)
{
    unsigned level = 5;
    while (__VERIFIER_nondet_bool()) {
        unsigned choice = __VERIFIER_nondet_uint();
        if (choice < 3)
            level = operations[choice](level);
        if (level > 10)
            reach_error();
    }
    return 0;
}
