// minmea: the frame of a sentence, its length and its check sum.
// @sizes 1 96
// @broken 4
#include "minmea/minmea.c"
#include "symbolic.h"

int main(void)
{
    char line[N + 1];
    symbolic_text(line, N);
#ifdef BROKEN
    line[N] = (char)__VERIFIER_nondet_uchar();
#endif
    if (minmea_check(line, true)) {
        assert(line[0] == '$');
        assert(strlen(line) >= 4);
        assert(strchr(line, '*') != NULL);
    }
    return 0;
}
