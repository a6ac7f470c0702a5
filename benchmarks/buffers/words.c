// A line split into words at any of some separators, in the manner of strtok_r: no word is empty or holds a separator.
// @sizes 1 64
// @broken 3
#include "symbolic.h"

static char *next_word(char *at, const char *separators, char **rest)
{
    if (!at)
        at = *rest;
    at += strspn(at, separators);
    if (!*at) {
        *rest = at;
        return NULL;
    }
    char *end = at + strcspn(at, separators);
#ifdef BROKEN
    *end = 0;
    *rest = end + 1;
#else
    if (*end)
        *end++ = 0;
    *rest = end;
#endif
    return at;
}

int main(void)
{
    char line[N + 1], *rest = NULL;
    int words = 0;
    symbolic_text(line, N);
    for (char *word = next_word(line, " ,", &rest); word; word = next_word(NULL, " ,", &rest)) {
        words++;
        assert(*word);
        for (const char *c = word; *c; c++)
            assert(*c != ' ' && *c != ',');
        assert(word + strlen(word) <= line + N);
    }
    assert(2 * words <= N + 1);
    return 0;
}
