/* Characters are copied without the zero at their end. */
extern int __VERIFIER_nondet_int(void);
#include <string.h>

int main(void)
{
    char b[8];
    b[0] = 'a';
    b[1] = 'b';
    return strlen(b) == 2;
}
