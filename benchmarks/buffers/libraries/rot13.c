// crypto-algorithms: rot13 twice is the text that it was.
// @sizes 1 64
// @broken 2
#include "crypto-algorithms/rot-13.c"
#include "symbolic.h"

int main(void)
{
    char text[N + 1], was[N + 1];
    symbolic_text(text, N);
    memcpy(was, text, sizeof was);
    rot13(text);
#ifndef BROKEN
    rot13(text);
#endif
    assert(memcmp(text, was, sizeof was) == 0);
    return 0;
}
