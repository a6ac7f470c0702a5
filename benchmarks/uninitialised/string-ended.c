/* The zero at the end is written. */
extern int __VERIFIER_nondet_int(void);
#include <string.h>

int main(void)
{
    char b[8];
    b[0] = __VERIFIER_nondet_int() ? 'a' : 'x';
    b[1] = 'b';
    b[2] = 0;
    return strlen(b) == 2;
}
