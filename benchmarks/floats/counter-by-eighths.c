/* A loop that counts by eighths makes the rounds one expects. */
extern void reach_error(void);

int main(void)
{
    int rounds = 0;
    for (float t = 0; t < 4.0f; t += 0.125f)
        rounds++;
    if (!(rounds == 32))
        reach_error();
    return 0;
}
