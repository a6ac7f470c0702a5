/* Padding that has no value is compared. */
extern int __VERIFIER_nondet_int(void);
#include <string.h>
struct mixed { char c; int i; };

int main(void)
{
    struct mixed a, b;
    a.c = b.c = 1;
    a.i = b.i = __VERIFIER_nondet_int();
    if (memcmp(&a, &b, sizeof a) == 0)
        return 1;
    return 0;
}
