/* On small integers addition is associative. */
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void)
{
    signed char a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_char(), c = __VERIFIER_nondet_char();
    float x = a, y = b, z = c;
    if (!((x + y) + z == x + (y + z)))
        reach_error();
    return 0;
}
