/* A clock of minutes and hours: the inner loop carries into the outer one. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    int hours = 0, minutes = 0;
    while (hours < 24) {
        while (minutes < 60) {
            if (__VERIFIER_nondet_bool())
                break;
            minutes++;
        }
        if (minutes == 60) {
            minutes = 0;
            hours++;
        }
        if (minutes < 0 || minutes > 59)
            reach_error();
    }
    if (hours != 24)
        reach_error();
    return 0;
}
