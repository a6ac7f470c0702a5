/* A structure is copied with a member that was not set; only others are looked at. */
extern int __VERIFIER_nondet_int(void);
struct date { int day, month, year; };

int main(void)
{
    struct date d, e;
    d.day = __VERIFIER_nondet_int();
    e = d;
    if (e.day == 4)
        return 1;
    return 0;
}
