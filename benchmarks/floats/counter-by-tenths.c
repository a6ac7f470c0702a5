/* A loop that counts by tenths makes one round more than it seems. */
extern void reach_error(void);

int main(void)
{
    int rounds = 0;
    for (double t = 0; t < 1; t += 0.1)
        rounds++;
    if (!(rounds == 10))
        reach_error();
    return 0;
}
