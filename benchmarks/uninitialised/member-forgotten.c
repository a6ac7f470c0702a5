/* One member of a structure is forgotten. */
extern int __VERIFIER_nondet_int(void);
struct date { int day, month, year; };

int main(void)
{
    struct date d;
    d.day = __VERIFIER_nondet_int();
    d.month = 1;
    if (d.year == 2000)
        return 1;
    return 0;
}
