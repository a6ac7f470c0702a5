/* Sums of quarters are exact. */
extern void reach_error(void);

int main(void)
{
    float s = 0;
    for (int k = 0; k < 100; k++)
        s += 0.25f;
    if (!(s == 25.0f))
        reach_error();
    return 0;
}
