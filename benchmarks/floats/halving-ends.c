/* Halving comes to zero in the end. */
extern void reach_error(void);

int main(void)
{
    float t = 1.0f;
    int rounds = 0;
    while (t > 0) {
        t /= 2;
        rounds++;
    }
    if (!(rounds == 150))
        reach_error();
    return 0;
}
