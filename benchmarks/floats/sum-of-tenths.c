/* Ten tenths are not one. */
extern void reach_error(void);

int main(void)
{
    double s = 0;
    for (int k = 0; k < 10; k++)
        s += 0.1;
    if (!(s == 1.0))
        reach_error();
    return 0;
}
