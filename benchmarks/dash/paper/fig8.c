/* Figure 8 of the paper: the same procedure is called twice, and the proof goes through both calls. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int inc(int y)
{
    int r;
    r = y + 1;
    return r;
}

void top(int x)
{
    int a, b;
    a = inc(x);
    b = inc(a);
    if (b != x + 2)
        reach_error();
}

int main(void)
{
    top(__VERIFIER_nondet_int());
    return 0;
}
