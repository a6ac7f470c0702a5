/* A counter of type float stops at 2 to the 24. */
extern void reach_error(void);

int main(void)
{
    float t = 16777216.0f;
    t = t + 1.0f;
    if (!(t > 16777216.0f))
        reach_error();
    return 0;
}
