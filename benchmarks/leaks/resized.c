/* Memory is resized and freed. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    p = realloc(p, 16);
    free(p);
    return 0;
}
