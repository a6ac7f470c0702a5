/* The copy of a member that was not set decides. */
extern int __VERIFIER_nondet_int(void);
struct date { int day, month, year; };

int main(void)
{
    struct date d, e;
    d.day = __VERIFIER_nondet_int();
    e = d;
    if (e.day == 4 && e.month == 2)
        return 1;
    return 0;
}
