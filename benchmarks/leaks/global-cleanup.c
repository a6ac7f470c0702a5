/* Memory that a global points to is still allocated at the end. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static int *kept;

int main(void)
{
    kept = malloc(4);
    return 0;
}
