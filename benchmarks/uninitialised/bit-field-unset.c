/* Bits that nobody set decide. */
extern int __VERIFIER_nondet_int(void);
struct bits { unsigned a : 3, b : 5; };

int main(void)
{
    struct bits f;
    f.a = __VERIFIER_nondet_int();
    if (f.b == 2)
        return 1;
    return 0;
}
