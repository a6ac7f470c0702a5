/* Memory is never freed. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    *p = 1;
    return 0;
}
