// Patterns with `*`, `?` and classes such as `[a-z]` against a fixed name, without recursion.
// @sizes 1 24
// @broken 3
#include "symbolic.h"

static const char *class_end(const char *p, char c, int *found)
{
    *found = 0;
#ifdef BROKEN
    for (p++; *p != ']'; p++) {
#else
    for (p++; *p && *p != ']'; p++) {
#endif
        if (p[1] == '-' && p[2] && p[2] != ']') {
            if (p[0] <= c && c <= p[2])
                *found = 1;
            p += 2;
        } else if (*p == c) {
            *found = 1;
        }
    }
    return p;
}

static int matches(const char *p, const char *s)
{
    const char *star = NULL, *again = NULL;
    while (*s) {
        int found = 0;
        const char *end = p;
        if (*p == '*') {
            star = ++p;
            again = s;
            continue;
        }
        if (*p == '[')
            end = class_end(p, *s, &found);
        else
            found = *p && (*p == '?' || *p == *s);
        if (found && *end) {
            p = end + 1;
            s++;
        } else if (star) {
            p = star;
            s = ++again;
        } else {
            return 0;
        }
    }
    while (*p == '*')
        p++;
    return *p == 0;
}

int main(void)
{
    char pattern[N + 1];
    symbolic_text(pattern, N);
    int whole = matches(pattern, "ab.c");
    if (pattern[0] == '*' && pattern[1] == 0)
        assert(whole);
    if (strcmp(pattern, "ab") == 0)
        assert(!whole);
    return 0;
}
