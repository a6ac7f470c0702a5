/* Without the compensation it is not. */
extern void reach_error(void);

int main(void)
{
    double s = 0, rest = 0;
    for (int k = 0; k < 10; k++) {
        double term = 0.1 - rest, next = s + term;
        rest = 0;
        s = next;
    }
    if (!(s == 1.0))
        reach_error();
    return 0;
}
