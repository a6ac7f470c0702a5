// minmea: numbers and letters between commas, read by its scanner.
// @sizes 4 64
// @broken 8
#include "minmea/minmea.c"
#include "symbolic.h"

int main(void)
{
    char line[N + 1];
    symbolic_text(line, N);
    line[0] = '$';
    int number = 7;
    char letter = 'x';
    if (minmea_scan(line, "_ci", &letter, &number)) {
#ifdef BROKEN
        assert(number >= 0);
#else
        assert(letter == 0 || minmea_isfield(letter));
#endif
    }
    return 0;
}
