/* The clock carries one minute too late. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    int hours = 0, minutes = 0;
    while (hours < 24) {
        while (minutes < 61) {
            if (__VERIFIER_nondet_bool())
                break;
            minutes++;
        }
        if (minutes == 61) {
            minutes = 0;
            hours++;
        }
        if (minutes > 59)
            reach_error();
    }
    return 0;
}
