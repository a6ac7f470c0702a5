/* A text that ends with a zero byte is walked to its end. */
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void)
{
    char text[8];
    for (int i = 0; i < 7; i++)
        text[i] = __VERIFIER_nondet_char();
    text[7] = 0;
    int length = 0;
    while (text[length] != 0)
        length++;
    if (length > 7)
        reach_error();
    return 0;
}
