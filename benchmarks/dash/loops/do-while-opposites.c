/* The body of a do-while runs at least once; the sum stays zero. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = 0, y = 0;
    do {
        x++;
        y--;
    } while (x < n);
    if (x + y != 0)
        reach_error();
    return 0;
}
