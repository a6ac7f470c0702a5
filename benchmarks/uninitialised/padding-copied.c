/* Padding has no value and is copied with its structure. */
extern int __VERIFIER_nondet_int(void);
#include <string.h>
struct mixed { char c; int i; };

int main(void)
{
    struct mixed a, b;
    a.c = 1;
    a.i = __VERIFIER_nondet_int();
    memcpy(&b, &a, sizeof b);
    if (b.c == 1 && b.i == 5)
        return 1;
    return 0;
}
