/* Every element holds its own index; the fifth is asked for. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned char squares[64];
    for (int i = 0; i < 64; i++)
        squares[i] = i;
    if (squares[5] != 5)
        reach_error();
    return 0;
}
