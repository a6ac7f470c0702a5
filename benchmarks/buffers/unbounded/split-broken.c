/* The rest behind the last field is not null. */
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static char *next_field(char **rest)
{
    char *field = *rest;
    if (!field)
        return NULL;
    char *end = field;
    while (*end && *end != ',')
        end++;
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = end + 1;
    }
    return field;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    char *line = malloc(n + 1);
    if (!line)
        return 0;
    for (unsigned i = 0; i < n; i++)
        line[i] = (char)__VERIFIER_nondet_uchar();
    line[n] = 0;
    char *rest = line, *field;
    while ((field = next_field(&rest)) != NULL)
        if (field < line || field > line + n)
            reach_error();
    free(line);
    return 0;
}
