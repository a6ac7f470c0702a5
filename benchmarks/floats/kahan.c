/* The compensated sum of ten tenths is one. */
extern void reach_error(void);

int main(void)
{
    double s = 0, rest = 0;
    for (int k = 0; k < 10; k++) {
        double term = 0.1 - rest, next = s + term;
        rest = (next - s) - term;
        s = next;
    }
    if (!(s == 1.0))
        reach_error();
    return 0;
}
