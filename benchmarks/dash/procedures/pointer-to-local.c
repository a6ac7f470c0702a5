/* Two procedures change locals of their caller through pointers, and nothing else. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void order(int *low, int *high)
{
    if (*low > *high)
        swap(low, high);
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    int kept = c;
    order(&a, &b);
    if (a > b || c != kept)
        reach_error();
    order(&b, &c);
    order(&a, &b);
    if (a > b || b > c)
        reach_error();
    return 0;
}
